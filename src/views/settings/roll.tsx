import { Html } from '@elysiajs/html'
import { Form } from '../parts/form.tsx'

/** The roll in two steps: the button opens what it does, with a choice, and a second one confirms it. */
export function RollToken({ hasOldToken }: { hasOldToken: boolean }): JSX.Element {
  return (
    <details class="roll">
      <summary class="button danger">Roll token</summary>
      <Form action="/settings/token" within="token">
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
        <button class="danger" type="submit">
          Roll it now
        </button>
      </Form>
    </details>
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
