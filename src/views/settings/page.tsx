import { Html } from '@elysiajs/html'
import type { User } from '../../domain/account/user.ts'
import type { Deployment } from '../../domain/deployment.ts'
import type { Reasons } from '../../domain/reasons.ts'
import { Layout } from '../page/layout.tsx'
import type { Site } from '../page/site.ts'
import { firstInvalid } from '../parts/field.tsx'
import { AnnouncePanel } from './announce.tsx'
import { ChecklistPanel } from './checklist.tsx'
import { DeletePanel } from './delete.tsx'
import { ExportPanel } from './export.tsx'
import { PasswordPanel } from './password.tsx'
import { ProfilePanel } from './profile.tsx'
import { type PublisherRow, PublishersPanel } from './publishers.tsx'
import { type Refusal, RefusalsPanel } from './refusals.tsx'
import { type SessionRow, SessionsPanel } from './sessions.tsx'
import { type OldToken, type Token, TokenPanel } from './token.tsx'

/** What a form did, and the panel that it is in. */
export type Notice = { readonly panel: PanelName; readonly text: string }

export type PanelName = 'token' | 'publishers' | 'profile' | 'password' | 'sessions' | 'delete'

type Props = {
  site: Site
  viewer: User
  now: Date
  token: Token | null
  oldToken: OldToken | null
  newToken: string | null
  publishers: readonly PublisherRow[]
  sessions: readonly SessionRow[]
  refusals: readonly Refusal[]
  /** The way to the first deployment; null once it is walked. */
  checklist: { readonly first: Deployment | null } | null
  notice: Notice | null
  values: Readonly<Record<'name' | 'username' | 'issuer' | 'repository' | 'workflow' | 'environment', string>>
  /** The panel whose form was refused, and why. */
  refused: { readonly panel: PanelName; readonly reasons: Reasons } | null
  /** Whether a new token or publisher needs the password. */
  asksPassword: boolean
}

const fields = [
  'name',
  'current_password',
  'new_password',
  'username',
  'issuer',
  'repository',
  'workflow',
  'environment',
  'password',
]

/** `newToken` is the plain token, given once after it was generated; `values` is what was typed. */
export function SettingsPage(props: Props): JSX.Element {
  const { site, viewer, now, token, oldToken, newToken, refusals, checklist } = props
  const { sessions, notice, values, refused } = props
  const refusalOf = (panel: PanelName) => {
    const reasons = refused?.panel === panel ? refused.reasons : {}
    return { reasons, focused: firstInvalid(fields, reasons) }
  }
  const tokenProps = {
    ...{ viewer, now, token, oldToken, newToken },
    asksPassword: props.asksPassword,
    ...refusalOf('token'),
  }
  const noticeOf = (panel: PanelName) => (notice?.panel === panel ? notice.text : null)
  return (
    <Layout site={site} viewer={viewer} title="Settings" current="settings">
      <h1>Settings</h1>
      {checklist !== null && (
        <ChecklistPanel {...{ site, viewer, now, refusals }} token={tokenProps} first={checklist.first} />
      )}
      {/* Until the first deployment, the checklist holds them. */}
      <div id="announcing">
        {(checklist === null || checklist.first !== null) && (
          <>
            <TokenPanel {...tokenProps} />
            <AnnouncePanel site={site} />
            <RefusalsPanel now={now} refusals={refusals} />
          </>
        )}
      </div>
      {site.issuers.length > 0 && (
        <PublishersPanel
          {...{ viewer, now }}
          issuers={site.issuers}
          publishers={props.publishers}
          asksPassword={props.asksPassword}
          {...refusalOf('publishers')}
          typed={values}
          notice={noticeOf('publishers')}
        />
      )}
      <ProfilePanel
        viewer={viewer}
        {...refusalOf('profile')}
        name={values.name}
        notice={noticeOf('profile')}
      />
      <PasswordPanel viewer={viewer} {...refusalOf('password')} notice={noticeOf('password')} />
      <SessionsPanel now={now} sessions={sessions} notice={noticeOf('sessions')} />
      <ExportPanel />
      <DeletePanel viewer={viewer} {...refusalOf('delete')} typed={values.username} />
    </Layout>
  )
}
