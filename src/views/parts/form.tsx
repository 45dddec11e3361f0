import { Html, type PropsWithChildren } from '@elysiajs/html'

type Props = PropsWithChildren<{
  action: string
  /** The id of the part of the page that the answer replaces. */
  within: string
  /** The selector of other parts that change with it. */
  also?: string
}>

/**
 * A form whose answer is swapped into its part of the page; without JavaScript it is a page of its own. An
 * error's page brings no such part: what it advises is shown in the form, which keeps what was typed.
 */
export function Form({ action, within, also, children }: Props): JSX.Element {
  return (
    <form
      class="stack"
      method="post"
      action={action}
      hx-post={action}
      hx-target={`#${within}`}
      hx-select={`#${within}`}
      hx-select-oob={also}
      hx-swap="outerHTML"
      hx-sync="drop"
      {...adviceOnError}
    >
      {children}
      <div class="unsent" role="alert"></div>
    </form>
  )
}

const showAdvice = 'target:"find .unsent" select:#advice swap:"innerHTML ignoreTitle:true"'

/** 422 and 429 are answers of the form itself. */
const adviceOnError = {
  'hx-status:42x': 'swap:outerHTML',
  'hx-status:4xx': showAdvice,
  'hx-status:5xx': showAdvice,
}
