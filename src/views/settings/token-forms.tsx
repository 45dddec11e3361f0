import { Html } from '@elysiajs/html'
import type { User } from '../../domain/account/user.ts'
import type { Reasons } from '../../domain/reasons.ts'
import { Form } from '../parts/form.tsx'
import { OwnPassword } from './own-password.tsx'

/** The password, which is asked for unless it was given a short while ago. */
export type PasswordAgain = {
  viewer: User
  asksPassword: boolean
  reasons: Reasons
  focused: string | undefined
}

/** `within` is the id of the part of the page that the answer replaces. */
type FormProps = PasswordAgain & { within: string }

export function GenerateToken({ within, ...again }: FormProps): JSX.Element {
  return (
    <Form action="/settings/token" within={within}>
      <PasswordField id="token-password" {...again} />
      <button class="primary" type="submit">
        Generate token
      </button>
    </Form>
  )
}

/** Rolling in two steps: the button opens the explanation and a choice, and a second one confirms. */
export function RollToken({
  hasOldToken,
  within,
  ...again
}: FormProps & { hasOldToken: boolean }): JSX.Element {
  return (
    <details class="roll" open={again.focused !== undefined}>
      <summary class="button danger">Roll token</summary>
      <Form action="/settings/token" within={within}>
        <fieldset class="stack choices">
          <legend>What happens to the token in use?</legend>
          <Choice value="" label="It stops working at once" hint="For a token that others may have seen." />
          <Choice
            value="24h"
            label="Keep it for 24 hours"
            hint="Time to give your pipelines the new one. This page shows whether anything still uses it."
          />
        </fieldset>
        {hasOldToken && <p class="hint">The old token that you kept before ends in either case.</p>}
        <PasswordField id="token-password" {...again} />
        <button class="danger" type="submit">
          Roll it now
        </button>
      </Form>
    </details>
  )
}

/** Nothing where the password need not be given again. */
export function PasswordField({ id, ...again }: PasswordAgain & { id: string }): JSX.Element {
  const { viewer, asksPassword, reasons, focused } = again
  if (!asksPassword) return ''
  return (
    <>
      <input type="text" value={viewer.username} autocomplete="username" readonly hidden />
      <OwnPassword id={id} focused={focused} reasons={reasons} />
    </>
  )
}

function Choice({ value, label, hint }: { value: string; label: string; hint: string }): JSX.Element {
  const id = `keep-old-${value}`
  return (
    <div class="choice">
      <input
        type="radio"
        id={id}
        name="keep_old"
        value={value}
        checked={value === ''}
        autocomplete="off"
        aria-describedby={`${id}-hint`}
      />
      <label for={id} safe>
        {label}
      </label>
      <p class="choice-hint hint" id={`${id}-hint`} safe>
        {hint}
      </p>
    </div>
  )
}
