import { Html } from '@elysiajs/html'
import type { User } from '../../domain/account/user.ts'
import type { Reasons } from '../../domain/field-parsing.ts'
import { counted } from '../parts/links-and-marks.tsx'
import { Form, Notice, Panel, TextField } from '../parts/panels-and-forms.tsx'
import { Age, Day } from '../parts/time-element.tsx'

/** Why a form was refused, and the field that takes the focus. */
type Again = { reasons: Reasons; focused: string | undefined }

type ProfileProps = Again & { viewer: User; name: string; notice: string | null }

export function ProfilePanel({ viewer, name, notice, ...again }: ProfileProps): JSX.Element {
  return (
    <Panel id="profile" title="Profile">
      <Form action="/settings/profile" within="profile">
        <div class="columns">
          <TextField name="name" label="Display name" value={name} autocomplete="name" {...again} />
          <div class="field">
            <label for="profile-username">Username</label>
            <input
              id="profile-username"
              value={viewer.username}
              readonly
              aria-describedby="profile-username-hint"
            />
            <p class="hint" id="profile-username-hint">
              It is part of your links, so it can’t be changed.
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

type PasswordPanelProps = Again & { viewer: User; notice: string | null }

export function PasswordPanel({ viewer, notice, ...again }: PasswordPanelProps): JSX.Element {
  return (
    <Panel id="password" title="Password" hint="A new password signs you out everywhere else.">
      <Form action="/settings/password" within="password" also="#sessions">
        <input type="text" value={viewer.username} autocomplete="username" readonly hidden />
        <div class="columns">
          <TextField
            name="current_password"
            label="Current password"
            type="password"
            autocomplete="current-password"
            {...again}
          />
          <TextField
            name="new_password"
            label="New password"
            type="password"
            autocomplete="new-password"
            {...again}
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

export type SessionRow = {
  readonly current: boolean
  readonly device: string
  readonly createdAt: Date
  readonly lastSeenAt: Date
}

type SessionsPanelProps = { now: Date; sessions: readonly SessionRow[]; notice: string | null }

export function SessionsPanel({ now, sessions, notice }: SessionsPanelProps): JSX.Element {
  return (
    <Panel id="sessions" title="Sessions" hint="Where you are signed in">
      <ul>
        {sessions.map((session) => (
          <SessionItem session={session} now={now} />
        ))}
      </ul>
      {sessions.some((session) => !session.current) && (
        <Form action="/settings/sessions/end" within="sessions">
          <button type="submit">Sign out everywhere else</button>
        </Form>
      )}
      <Notice text={notice} />
    </Panel>
  )
}

function SessionItem({ session, now }: { session: SessionRow; now: Date }): JSX.Element {
  return (
    <li class="row">
      <span>
        <bdi safe>{session.device}</bdi>
        {session.current && <strong class="mark">this one</strong>}
      </span>
      <span class="hint">
        since <Day instant={session.createdAt} /> · seen <Age then={session.lastSeenAt} now={now} />
      </span>
    </li>
  )
}

type HistoryPanelProps = {
  /** How many deployments of the viewer are from history. */
  imported: number
  notice: string | null
}

/** What the viewer deployed before they announced here, with the button that removes all of it. */
export function HistoryPanel({ imported, notice }: HistoryPanelProps): JSX.Element {
  return (
    <Panel id="history" title="History" hint="What you deployed before your first announcement here">
      <p>
        {imported === 0 ? (
          'You have added none. '
        ) : (
          <span safe>{`${counted(imported, 'deployment')}. `}</span>
        )}
        Releases and deployments from before can be <a href="/docs#history">added</a>.
      </p>
      {imported > 0 && (
        <Form action="/settings/history/delete" within="history">
          <button class="danger" type="submit">
            Remove all history
          </button>
        </Form>
      )}
      <Notice text={notice} />
    </Panel>
  )
}

const hint = 'Everything that is stored about you, as one JSON file, except for passwords and tokens.'

export function ExportPanel(): JSX.Element {
  return (
    <Panel id="export" title="Your data" hint={hint}>
      <p>
        <a class="button" href="/settings/export" download="">
          Export everything
        </a>
      </p>
    </Panel>
  )
}

type DeletePanelProps = Again & { viewer: User; typed: string; hasPassword: boolean }

export function DeletePanel({ viewer, typed, hasPassword, ...again }: DeletePanelProps): JSX.Element {
  return (
    <Panel
      id="delete"
      title="Delete account"
      hint="Your profile, your tokens and all your deployments are deleted at once. This cannot be undone."
      danger
    >
      <Form action="/settings/delete" within="delete">
        <TextField
          id="delete-username"
          name="username"
          label={`Type your username, ${viewer.username}, to confirm`}
          value={typed}
          {...again}
        />
        {hasPassword && <OwnPassword id="delete-password" {...again} />}
        <button class="danger" type="submit">
          Delete my account
        </button>
      </Form>
    </Panel>
  )
}

/** The field for the user's own password, which guards actions that cannot be undone. */
function OwnPassword(props: Again & { id: string }): JSX.Element {
  return (
    <TextField
      {...props}
      name="password"
      label="Your password"
      type="password"
      autocomplete="current-password"
    />
  )
}

/** What the password field needs. The field is shown unless the password was entered a short while ago. */
export type PasswordAgain = Again & { viewer: User; asksPassword: boolean }

/** Empty if the password need not be entered again. */
export function PasswordField({
  viewer,
  asksPassword,
  ...field
}: PasswordAgain & { id: string }): JSX.Element {
  if (!asksPassword) return ''
  return (
    <>
      <input type="text" value={viewer.username} autocomplete="username" readonly hidden />
      <OwnPassword {...field} />
    </>
  )
}
