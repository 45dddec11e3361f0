import { Html } from '@elysiajs/html'
import type { Reasons } from '../../domain/reasons.ts'
import { attribute } from './attribute.ts'

type Props = {
  name: string
  label: string
  reasons: Reasons
  id?: string
  type?: 'text' | 'password'
  value?: string
  hint?: string
  autocomplete?: string
  autofocus?: boolean
  maxlength?: number
  isOptional?: boolean
}

/** One text field, required unless it says otherwise, with its label, its hint and the reasons why it was refused. */
export function Field(props: Props): JSX.Element {
  const {
    name,
    label,
    id = name,
    type = 'text',
    value,
    hint,
    autocomplete = 'off',
    autofocus,
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
        value={value === undefined ? undefined : attribute(value)}
        autocomplete={autocomplete}
        autocapitalize={autocomplete === 'name' ? 'words' : 'none'}
        spellcheck="false"
        autofocus={autofocus}
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

function ReasonList({ id, reasons }: { id: string; reasons: readonly string[] }): JSX.Element {
  return (
    <ul class="reasons" id={id}>
      {reasons.map((reason) => (
        <li safe>{reason}</li>
      ))}
    </ul>
  )
}

/** The first field of the form with reasons, which takes the focus. */
export function firstInvalid(names: readonly string[], reasons: Reasons): string | undefined {
  return names.find((name) => (reasons[name] ?? []).length > 0)
}
