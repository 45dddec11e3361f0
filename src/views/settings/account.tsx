import { Html } from '@elysiajs/html'
import { deviceOf } from '../../domain/account/device.ts'
import { confirmedMinutes } from '../../domain/account/password.ts'
import type { User } from '../../domain/account/user.ts'
import type { Site } from '../page/site.ts'
import { Form, Notice, TwoSteps } from '../parts/form.tsx'
import { type FormState, TextField } from '../parts/form-fields.tsx'
import { counted } from '../parts/numbers.ts'
import { Panel, Row } from '../parts/panel.tsx'
import { Age, Day } from '../parts/time-element.tsx'

/** A form that asks for the password, unless it was entered a short while ago. */
export type GuardedForm = { viewer: User; form: FormState; asksPassword: boolean }

/** What each panel of the settings needs, and in part each page. */
export type PanelProps = GuardedForm & { site: Site; now: Date; notice: string | null }

export function ProfilePanel({ viewer, form, notice }: PanelProps): JSX.Element {
  return (
    <Panel id="profile" title="Profile">
      <Form action="/settings/profile" within="profile" button="Save" look="primary">
        <div class="columns">
          <TextField form={form} name="name" label="Display name" autocomplete="name" />
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
      </Form>
      <Notice text={notice} />
    </Panel>
  )
}

export function EnvironmentsPanel({ form, notice }: PanelProps): JSX.Element {
  return (
    <Panel
      id="environments"
      title="Environments"
      hint="The way of a release, on boards, in lists and in badges. Without an order of your own, usual names have one."
    >
      <Form action="/settings/environment-order" within="environments" button="Save order" look="primary">
        <TextField
          form={form}
          id="environment-order"
          name="environments"
          label="From first to last (optional)"
          hint="Such as dev, qa, canary, production"
          isOptional
        />
      </Form>
      <Notice text={notice} />
    </Panel>
  )
}

export function PasswordPanel({ viewer, form, notice }: PanelProps): JSX.Element {
  return (
    <Panel id="password" title="Password" hint="A new password signs you out everywhere else.">
      <Form
        action="/settings/password"
        within="password"
        also="#sessions"
        button="Change password"
        look="primary"
      >
        <HiddenUsername viewer={viewer} />
        <div class="columns">
          <TextField
            form={form}
            name="current_password"
            label="Current password"
            autocomplete="current-password"
          />
          <TextField form={form} name="new_password" label="New password" autocomplete="new-password" />
        </div>
      </Form>
      <Notice text={notice} />
    </Panel>
  )
}

/** Tells password managers whose password a form asks for. */
function HiddenUsername({ viewer }: { viewer: User }): JSX.Element {
  return <input type="text" value={viewer.username} autocomplete="username" readonly hidden />
}

type SessionRow = {
  readonly hash: string
  /** The User-Agent header. */
  readonly device: string
  readonly createdAt: Date
  readonly lastSeenAt: Date
}

export type SessionsProps = PanelProps & { sessions: readonly SessionRow[]; sessionHash: string }

export function SessionsPanel({ now, sessions, sessionHash, notice }: SessionsProps): JSX.Element {
  return (
    <Panel id="sessions" title="Sessions" hint="Where you are signed in">
      <ul>
        {sessions.map(({ hash, device, createdAt, lastSeenAt }) => (
          <Row
            aside={
              <>
                since <Day instant={createdAt} /> · seen <Age then={lastSeenAt} now={now} />
              </>
            }
          >
            <bdi safe>{deviceOf(device)}</bdi>
            {hash === sessionHash && <strong class="mark">this one</strong>}
          </Row>
        ))}
      </ul>
      {sessions.some(({ hash }) => hash !== sessionHash) && (
        <Form action="/settings/sessions/end" within="sessions" button="Sign out everywhere else" />
      )}
      <Notice text={notice} />
    </Panel>
  )
}

/** What the viewer deployed before they announced here. `imported` is the number of these deployments. */
export function HistoryPanel({ imported, notice }: PanelProps & { imported: number }): JSX.Element {
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
        <TwoSteps label="Remove all history" hint="What you announced here stays.">
          <Form action="/settings/history/delete" within="history" button="Remove it now" look="danger" />
        </TwoSteps>
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

export function DeletePanel({ site, viewer, form }: PanelProps): JSX.Element {
  return (
    <Panel
      id="delete"
      title="Delete account"
      hint="Your profile, your tokens and all your deployments are deleted at once. This cannot be undone."
      danger
    >
      <Form action="/settings/delete" within="delete" button="Delete my account" look="danger">
        <TextField
          form={form}
          id="delete-username"
          name="username"
          label={`Type your username, ${viewer.username}, to confirm`}
        />
        {site.hasPasswords && <TextField {...ownPassword} form={form} id="delete-password" />}
      </Form>
    </Panel>
  )
}

/** The field for the user's own password, which guards actions that cannot be undone. */
const ownPassword = { name: 'password', label: 'Your password', autocomplete: 'current-password' } as const

export function PasswordField({ viewer, form, asksPassword, id }: GuardedForm & { id: string }): JSX.Element {
  if (!asksPassword) return ''
  const hint = `You signed in more than ${confirmedMinutes} minutes ago.`
  return (
    <>
      <HiddenUsername viewer={viewer} />
      <TextField {...ownPassword} form={form} id={id} hint={hint} />
    </>
  )
}
