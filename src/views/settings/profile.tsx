import { Html } from '@elysiajs/html'
import type { User } from '../../domain/account/user.ts'
import type { Reasons } from '../../domain/reasons.ts'
import { Field } from '../parts/field.tsx'
import { Form } from '../parts/form.tsx'
import { Notice } from '../parts/notice.tsx'
import { Panel } from '../parts/panel.tsx'

type Props = {
  viewer: User
  name: string
  notice: string | null
  reasons: Reasons
  focused: string | undefined
}

export function ProfilePanel({ viewer, name, notice, reasons, focused }: Props): JSX.Element {
  return (
    <Panel id="profile" title="Profile">
      <Form action="/settings/profile" within="profile">
        <div class="columns">
          <Field
            name="name"
            label="Display name"
            value={name}
            autocomplete="name"
            autofocus={focused === 'name'}
            reasons={reasons}
          />
          <div class="field">
            <label for="profile-username">Username</label>
            <input
              id="profile-username"
              value={viewer.username}
              readonly
              aria-describedby="profile-username-hint"
            />
            <p class="hint" id="profile-username-hint">
              It is part of your addresses and stays as it is.
            </p>
          </div>
        </div>
        <button class="primary" type="submit">
          Save
        </button>
      </Form>
      <Notice text={notice} />
    </Panel>
  )
}
