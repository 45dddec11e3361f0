import { Html, type PropsWithChildren } from '@elysiajs/html'
import type { Reasons } from '../../domain/field-parsing.ts'
import { escaped } from './escaping-and-templates.ts'

type PanelProps = PropsWithChildren<{ id: string; title: string; hint?: string; danger?: boolean }>

export function Panel({ id, title, hint, danger = false, children }: PanelProps): JSX.Element {
  return (
    <section id={id} class={danger ? 'panel stack danger' : 'panel stack'} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`} safe>
        {title}
      </h2>
      {hint !== undefined && (
        <p class="hint" safe>
          {hint}
        </p>
      )}
      {children}
    </section>
  )
}

/** The result of a form. It takes the focus, so that it is seen and read out after a redirect or swap. */
export function Notice({ text }: { text: string | null }): JSX.Element {
  return (
    <div class="notice" role="status">
      {text !== null && (
        <p {...takesFocus} safe>
          {text}
        </p>
      )}
    </div>
  )
}

/** Attributes to spread. Every element may have autofocus, but the types do not know it. */
const takesFocus = { tabindex: '-1', autofocus: true }

/** Keeps error pages out of the page, since htmx would swap them in like any other answer. */
export const keepOnError = { 'hx-status:4xx': 'swap:none', 'hx-status:5xx': 'swap:none' }

const showAdvice = 'target:"find .unsent" select:#advice swap:"innerHTML ignoreTitle:true"'

/** A form shows the advice of an error page. Answers of 42x (422, 429) hold the form itself, and replace it. */
export const adviceOnError = {
  'hx-status:42x': 'swap:outerHTML',
  'hx-status:4xx': showAdvice,
  'hx-status:5xx': showAdvice,
}

type Props = PropsWithChildren<{
  action: string
  /** The id of the part of the page that the answer replaces. */
  within: string
  /** The selector of other parts that change with it. */
  also?: string
}>

/**
 * A form whose answer replaces its part of the page; without JavaScript the answer is a whole page. An
 * error page has no such part, so the form shows its advice and keeps the input.
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

type TickProps = { name: string; label: string; isTicked: boolean }

/** A checkbox with its label. */
export function Tick({ name, label, isTicked }: TickProps): JSX.Element {
  return (
    <div class="choice">
      <input type="checkbox" id={name} name={name} value="on" checked={isTicked} autocomplete="off" />
      <label for={name} safe>
        {label}
      </label>
    </div>
  )
}

type FieldProps = {
  name: string
  label: string
  reasons: Reasons
  id?: string
  type?: 'text' | 'password' | 'date'
  value?: string
  hint?: string
  autocomplete?: string
  /** The name of the field that takes the focus. */
  focused?: string | undefined
  maxlength?: number
  isOptional?: boolean
}

/** One text field with its label, its hint and the reasons for its refusal; required unless stated otherwise. */
export function TextField(props: FieldProps): JSX.Element {
  const {
    name,
    label,
    id = name,
    type = 'text',
    value,
    hint,
    autocomplete = 'off',
    focused,
    maxlength,
    isOptional = false,
  } = props
  const reasons = props.reasons[name] ?? []
  const described = [
    ...(hint === undefined ? [] : [`${id}-hint`]),
    ...(reasons.length === 0 ? [] : [`${id}-reasons`]),
  ]
  return (
    <div class="field">
      <label for={id} safe>
        {label}
      </label>
      <input
        id={id}
        name={name}
        type={type}
        value={value === undefined ? undefined : escaped(value)}
        autocomplete={autocomplete}
        autocapitalize={autocomplete === 'name' ? 'words' : 'none'}
        spellcheck="false"
        autofocus={focused === name}
        maxlength={maxlength}
        required={!isOptional}
        aria-invalid={reasons.length === 0 ? undefined : 'true'}
        aria-describedby={described.length === 0 ? undefined : described.join(' ')}
      />
      {hint !== undefined && (
        <p class="hint" id={`${id}-hint`} safe>
          {hint}
        </p>
      )}
      {reasons.length > 0 && <ReasonList id={`${id}-reasons`} reasons={reasons} />}
    </div>
  )
}

type EnvironmentsProps = Pick<FieldProps, 'value' | 'focused' | 'reasons'>

/** The environments to which something is bound; none means all. */
export function EnvironmentsField(props: EnvironmentsProps): JSX.Element {
  return (
    <TextField
      name="environments"
      label="Only these environments (optional)"
      hint="production, staging"
      isOptional
      {...props}
    />
  )
}

type BoundsProps = Omit<EnvironmentsProps, 'value'> & {
  readonly typed: { readonly targets: string; readonly environments: string }
  /** Follows the hint for targets. */
  readonly note?: string
}

/** The projects, hosts and environments to which something is bound; none means all. */
export function BoundsFields({ typed, note = '', ...rest }: BoundsProps): JSX.Element {
  return (
    <div class="columns">
      <TextField
        name="targets"
        label="Only these projects or hosts (optional)"
        value={typed.targets}
        hint={`Such as github.com/ada/engine, separated by commas${note}`}
        isOptional
        {...rest}
      />
      <EnvironmentsField value={typed.environments} {...rest} />
    </div>
  )
}

export function ReasonList({ id, reasons }: { id: string; reasons: readonly string[] }): JSX.Element {
  return (
    <ul class="reasons" id={id}>
      {reasons.map((reason) => (
        <li safe>{reason}</li>
      ))}
    </ul>
  )
}

/** The name of the first refused field, which takes the focus. */
export function firstInvalid(names: readonly string[], reasons: Reasons): string | undefined {
  return names.find((name) => (reasons[name] ?? []).length > 0)
}
