import { Html } from '@elysiajs/html'
import { type Facet, facets } from '../../domain/feed/facets.ts'
import type { Reasons } from '../../domain/field-parsing.ts'
import { writtenTarget } from '../../domain/restriction.ts'
import { escaped } from './markup.ts'

/** What a form shows: the values of its fields, and why it was refused. */
export type FormState = {
  /** By the names of the fields. A field that is missing here is empty. */
  readonly typed: Readonly<Record<string, string>>
  /** In the order of the fields, because the first one takes the focus. */
  readonly reasons: Reasons
  /** A problem that belongs to no field. */
  readonly problem?: string | undefined
  /** The field that takes the focus if none was refused. */
  readonly focused?: string
}

export const freshForm: FormState = { typed: {}, reasons: {} }

/** Whether some fields of a form were refused. */
export function isRefused({ reasons }: FormState): boolean {
  return Object.keys(reasons).length > 0
}

function takesFocus({ reasons, focused }: FormState, name: string): boolean {
  const [first = focused] = Object.keys(reasons)
  return first === name
}

export function ProblemNote({ problem }: Pick<FormState, 'problem'>): JSX.Element {
  if (problem === undefined) return ''
  return (
    <p id="advice" class="problem-note" role="alert">
      {escaped(problem)}
    </p>
  )
}

/** The field of a form with this name. The name is also its id, unless another one is given. */
type FieldProps = { form: FormState; name: string; label: string; id?: string }

type ChoiceProps = FieldProps & { type?: 'checkbox' | 'radio'; value?: string; hint?: string }

/** A checkbox, ticked if its field is not empty, or a radio button, chosen if the field has its value. */
export function Choice(props: ChoiceProps): JSX.Element {
  const { form, name, label, id = name, type = 'checkbox', value = 'on', hint } = props
  const typed = form.typed[name] ?? ''
  return (
    <div class="choice">
      <input
        type={type}
        id={id}
        name={name}
        value={value}
        checked={type === 'radio' ? typed === value : typed !== ''}
        autocomplete="off"
        aria-describedby={hint && `${id}-hint`}
      />
      <label for={id}>{escaped(label)}</label>
      {hint !== undefined && (
        <p class="choice-hint hint" id={`${id}-hint`}>
          {escaped(hint)}
        </p>
      )}
    </div>
  )
}

type TextProps = FieldProps & {
  type?: 'text' | 'date'
  hint?: string
  /** A field for a password has one of the last two. */
  autocomplete?: 'off' | 'username' | 'name' | 'current-password' | 'new-password'
  maxlength?: number
  /** The id of the list of what is offered. */
  list?: string
  isOptional?: boolean
}

/**
 * A text field with its label, its hint and the reasons for its refusal; required unless stated otherwise. It shows
 * what was typed, except for passwords.
 */
export function TextField(props: TextProps): JSX.Element {
  const { form, name, label, id = name, hint, maxlength, list } = props
  const { autocomplete = 'off', isOptional = false } = props
  const type = autocomplete.endsWith('password') ? 'password' : (props.type ?? 'text')
  const reasons = form.reasons[name] ?? []
  const described = [hint && `${id}-hint`, reasons.length > 0 && `${id}-reasons`].filter(Boolean).join(' ')
  return (
    <div class="field">
      <label for={id}>{escaped(label)}</label>
      <input
        id={id}
        name={name}
        type={type}
        value={type === 'password' ? undefined : escaped(form.typed[name] ?? '')}
        autocomplete={autocomplete}
        autocapitalize={autocomplete === 'name' ? 'words' : 'none'}
        spellcheck="false"
        autofocus={takesFocus(form, name)}
        maxlength={maxlength}
        list={list}
        required={!isOptional}
        aria-invalid={reasons.length > 0 ? 'true' : undefined}
        aria-describedby={described || undefined}
      />
      {hint !== undefined && (
        <p class="hint" id={`${id}-hint`}>
          {escaped(hint)}
        </p>
      )}
      <ReasonList id={`${id}-reasons`} reasons={reasons} />
    </div>
  )
}

type SelectProps = FieldProps & { options: readonly (readonly [value: string, text: string])[] }

/** A choice of one of several options, with the reasons for its refusal. */
export function SelectField({ form, name, label, id = name, options }: SelectProps): JSX.Element {
  const reasons = form.reasons[name] ?? []
  return (
    <div class="field">
      <label for={id}>{escaped(label)}</label>
      <select
        id={id}
        name={name}
        autocomplete="off"
        autofocus={takesFocus(form, name)}
        aria-describedby={reasons.length > 0 ? `${id}-reasons` : undefined}
      >
        {options.map(([value, text]) => (
          <option value={value} selected={value === (form.typed[name] ?? '')}>
            {escaped(text)}
          </option>
        ))}
      </select>
      <ReasonList id={`${id}-reasons`} reasons={reasons} />
    </div>
  )
}

/** The environments to which something is bound; none means all. */
export function EnvironmentsField({ form }: { form: FormState }): JSX.Element {
  return (
    <TextField
      form={form}
      name="environments"
      label="Only these environments (optional)"
      hint="Such as production, staging"
      isOptional
    />
  )
}

type BoundsProps = {
  form: FormState
  /** The user's own targets, which are offered. */
  targets: readonly string[]
  /** What follows the first hint. */
  note?: string
  /** Facets of which values are typed too. */
  further?: readonly Facet[]
}

/** The projects, hosts and environments to which something is bound; none means all. */
export function BoundsFields({ form, targets, note = '', further = [] }: BoundsProps): JSX.Element {
  return (
    <div class="columns">
      <datalist id="own-targets">
        {targets.map((target) => (
          <option value={escaped(writtenTarget(target))} />
        ))}
      </datalist>
      <TextField
        form={form}
        name="targets"
        label="Only these projects or hosts (optional)"
        hint={`Such as github.com/ada/engine, separated by commas${note}`}
        list="own-targets"
        isOptional
      />
      <EnvironmentsField form={form} />
      {further
        .filter((facet): boolean => facet !== 'environment')
        .map((facet) => facets[facet].list)
        .map((list) => (
          <TextField form={form} name={list} label={`Only these ${list} (optional)`} isOptional />
        ))}
    </div>
  )
}

/** Empty if there are no reasons. */
export function ReasonList({ id, reasons }: { id: string; reasons: readonly string[] }): JSX.Element {
  if (reasons.length === 0) return ''
  return (
    <ul class="reasons" id={id}>
      {reasons.map((reason) => (
        <li safe>{reason}</li>
      ))}
    </ul>
  )
}
