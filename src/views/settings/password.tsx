import { Html } from '@elysiajs/html'
import type { User } from '../../domain/account/user.ts'
import type { Reasons } from '../../domain/reasons.ts'
import { Field } from '../parts/field.tsx'
import { Form } from '../parts/form.tsx'
import { Notice } from '../parts/notice.tsx'
import { Panel } from '../parts/panel.tsx'

type Props = { viewer: User; notice: string | null; reasons: Reasons; focused: string | undefined }

export function PasswordPanel({ viewer, notice, reasons, focused }: Props): JSX.Element {
  return (
    <Panel id="password" title="Password" hint="A new password signs you out everywhere else.">
      <Form action="/settings/password" within="password" also="#sessions">
        <input type="text" value={viewer.username} autocomplete="username" readonly hidden />
        <div class="columns">
          <Field
            name="current_password"
            label="Current password"
            type="password"
            autocomplete="current-password"
            autofocus={focused === 'current_password'}
            reasons={reasons}
          />
          <Field
            name="new_password"
            label="New password"
            type="password"
            autocomplete="new-password"
            autofocus={focused === 'new_password'}
            reasons={reasons}
          />
        </div>
        <button class="primary" type="submit">
          Change password
        </button>
      </Form>
      <Notice text={notice} />
    </Panel>
  )
}
