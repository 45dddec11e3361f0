import { Html, type PropsWithChildren } from '@elysiajs/html'
import { escaped } from './markup.ts'

/** The result of a form. It takes the focus, so that it is seen and read out after a redirect or swap. */
export function Notice({ text }: { text: string | null }): JSX.Element {
  return (
    <div class="notice" role="status">
      {text !== null && <p {...takesFocus}>{escaped(text)}</p>}
    </div>
  )
}

/** Attributes to spread. Every element may have autofocus, but the types do not know it. */
const takesFocus = { tabindex: '-1', autofocus: true }

/** Keeps error pages out of the page, since htmx would swap them in like any other answer. */
export const keepOnError = { 'hx-status:4xx': 'swap:none', 'hx-status:5xx': 'swap:none' }

/** Reads something again and again, and when the reader returns. Without a session the answer is 401, so that the page keeps what is typed in it. */
export function polled(seconds: number) {
  return {
    'hx-trigger': `every ${seconds}s, visibilitychange from:document`,
    'hx-headers': '{"Shipfeed-Poll":"1"}',
    'hx-sync': 'drop',
    ...keepOnError,
  }
}

const showAdvice = 'target:"find .unsent" select:#advice swap:"innerHTML ignoreTitle:true"'

/** A form shows the advice of an error page. An answer of 422 holds the form itself, and replaces it. */
export const adviceOnError = {
  'hx-status:422': 'swap:outerHTML',
  'hx-status:4xx': showAdvice,
  'hx-status:5xx': showAdvice,
}

type FormProps = PropsWithChildren<{
  action: string
  /** The id of the part of the page that the answer replaces. Without it, the answer is another page. */
  within?: string
  /** The selector of other parts that change with it. */
  also?: string
  /** The text of its button. */
  button: JSX.Element
  look?: 'primary' | 'danger'
}>

/** A form whose answer replaces its part of the page; of an error page, which has no such part, it shows the advice. */
export function Form({ action, within, also, button, look, children }: FormProps): JSX.Element {
  const swap = {
    'hx-post': action,
    'hx-target': `#${within}`,
    'hx-select': `#${within}`,
    'hx-select-oob': also,
    'hx-swap': 'outerHTML',
    'hx-sync': 'drop',
    ...adviceOnError,
  }
  return (
    <form class="stack" method="post" action={action} {...(within === undefined ? {} : swap)}>
      {children}
      <button class={look} type="submit">
        {button}
      </button>
      {within !== undefined && <div class="unsent" role="alert"></div>}
    </form>
  )
}

/** Something that cannot be undone, in two steps: a button opens an explanation, and the form in it confirms. */
export function TwoSteps({ label, hint, children }: PropsWithChildren<{ label: JSX.Element; hint: string }>) {
  return (
    <details class="roll">
      <summary class="button">{label}</summary>
      <p class="hint" safe>
        {hint}
      </p>
      {children}
    </details>
  )
}

type ButtonProps = { action: string; label: string; isDanger?: boolean }

/** A form that is a button. Its answer is a page. */
export function ActionButton({ action, label, isDanger = false }: ButtonProps): JSX.Element {
  return (
    <form method="post" action={action}>
      <button type="submit" class={isDanger ? 'danger' : undefined} safe>
        {label}
      </button>
    </form>
  )
}
