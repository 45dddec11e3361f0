import { Html } from '@elysiajs/html'
import type { Reasons } from '../../domain/reasons.ts'
import type { User } from '../../domain/user.ts'
import { Field } from '../parts/field.tsx'
import { Form } from '../parts/form.tsx'
import { Notice } from '../parts/notice.tsx'
import { Panel } from '../parts/panel.tsx'

type Props = { viewer: User; reasons: Reasons; focused: string | undefined }
type WithNotice = Props & { notice: string | null }

export function ProfilePanel(props: WithNotice & { name: string }): JSX.Element {
  const { viewer, name, notice, reasons, focused } = props
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

export function PasswordPanel({ viewer, notice, reasons, focused }: WithNotice): JSX.Element {
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

export function DeletePanel({ viewer, typed, reasons, focused }: Props & { typed: string }): JSX.Element {
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
        <button class="danger" type="submit">
          Delete my account
        </button>
      </Form>
    </Panel>
  )
}
