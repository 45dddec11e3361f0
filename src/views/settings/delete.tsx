import { Html } from '@elysiajs/html'
import type { User } from '../../domain/account/user.ts'
import type { Reasons } from '../../domain/reasons.ts'
import { Field } from '../parts/field.tsx'
import { Form } from '../parts/form.tsx'
import { Panel } from '../parts/panel.tsx'
import { OwnPassword } from './own-password.tsx'

type Props = { viewer: User; typed: string; reasons: Reasons; focused: string | undefined }

export function DeletePanel({ viewer, typed, reasons, focused }: Props): JSX.Element {
  return (
    <Panel
      id="delete"
      title="Delete account"
      hint="Your profile, your token and all your deployments are deleted at once. This cannot be undone."
      danger
    >
      <Form action="/settings/delete" within="delete">
        <Field
          id="delete-username"
          name="username"
          label={`Type your username, ${viewer.username}, to confirm`}
          value={typed}
          autofocus={focused === 'username'}
          reasons={reasons}
        />
        <OwnPassword id="delete-password" focused={focused} reasons={reasons} />
        <button class="danger" type="submit">
          Delete my account
        </button>
      </Form>
    </Panel>
  )
}
