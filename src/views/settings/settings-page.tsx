import { Html } from '@elysiajs/html'
import type { User } from '../../domain/account/user.ts'
import type { Deployment } from '../../domain/deployment.ts'
import type { Reasons } from '../../domain/field-parsing.ts'
import { Layout } from '../page/layout.tsx'
import type { Site } from '../page/site.ts'
import { firstInvalid, Panel } from '../parts/panels-and-forms.tsx'
import {
  DeletePanel,
  ExportPanel,
  HistoryPanel,
  PasswordPanel,
  ProfilePanel,
  type SessionRow,
  SessionsPanel,
} from './account.tsx'
import { AnnounceSnippets, ChecklistPanel } from './checklist.tsx'
import { type PublisherRow, PublishersPanel } from './publishers.tsx'
import { ReadKeyPanel } from './read-key.tsx'
import { type RefusalRow, RefusalsPanel } from './refusals.tsx'
import { type CurrentToken, type OldToken, TokenPanel } from './token.tsx'

/** The result of a form, and the panel that it is in. */
export type SettingsNotice = {
  readonly panel: PanelName
  readonly text: string
  /** Whether it continues with the snippets for a pipeline. */
  readonly showsSteps?: true
}

export type PanelName =
  | 'token'
  | 'read-key'
  | 'publishers'
  | 'profile'
  | 'password'
  | 'history'
  | 'sessions'
  | 'delete'

type Props = {
  site: Site
  viewer: User
  now: Date
  token: CurrentToken | null
  oldToken: OldToken | null
  newToken: string | null
  /** How many tokens there are besides that one. */
  otherTokens: number
  /** Null if there is none, or everybody may read. */
  readKey: Parameters<typeof ReadKeyPanel>[0]['readKey']
  newKey: string | null
  publishers: readonly PublisherRow[]
  sessions: readonly SessionRow[]
  refusals: readonly RefusalRow[]
  /** The checklist up to the first deployment; null once it is complete. */
  checklist: { readonly first: Deployment | null } | null
  /** How many deployments are from history. */
  imported: number
  notice: SettingsNotice | null
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

/**
 * `newToken` and `newKey` are a token and a key in plain text, each given once after it was made; `values` is what was
 * typed.
 */
export function SettingsPage(props: Props): JSX.Element {
  const { site, viewer, now, token, oldToken, newToken, refusals, checklist } = props
  const { sessions, notice, values, refused } = props
  const refusalOf = (panel: PanelName) => {
    const reasons = refused?.panel === panel ? refused.reasons : {}
    return { reasons, focused: firstInvalid(fields, reasons) }
  }
  const tokenProps = {
    ...{ viewer, now, token, oldToken, newToken, otherTokens: props.otherTokens },
    asksPassword: props.asksPassword,
    ...refusalOf('token'),
  }
  const noticeOf = (panel: PanelName) => (notice?.panel === panel ? notice.text : null)
  return (
    <Layout site={site} viewer={viewer} title="Settings" current="settings">
      <h1>Settings</h1>
      {checklist !== null && (
        <ChecklistPanel
          {...{ site, viewer, now, refusals }}
          token={tokenProps}
          first={checklist.first}
          imported={props.imported}
        />
      )}
      {/* Until the first deployment, the checklist contains these panels. */}
      <div id="announcing">
        {(checklist === null || checklist.first !== null) && (
          <>
            <TokenPanel {...tokenProps} />
            <Panel
              id="announce"
              title="Announce a deployment"
              hint="Try it from your terminal, or paste it into a pipeline"
            >
              <AnnounceSnippets site={site} />
            </Panel>
            <RefusalsPanel now={now} refusals={refusals} />
          </>
        )}
      </div>
      {site.membersOnly && (
        <ReadKeyPanel
          {...{ viewer, now }}
          readKey={props.readKey}
          newKey={props.newKey}
          publicBadges={site.publicBadges}
          asksPassword={props.asksPassword}
          {...refusalOf('read-key')}
        />
      )}
      {site.issuers.length > 0 && (
        <PublishersPanel
          {...{ site, viewer, now }}
          issuers={site.issuers}
          publishers={props.publishers}
          asksPassword={props.asksPassword}
          {...refusalOf('publishers')}
          typed={values}
          notice={notice?.panel === 'publishers' ? notice : null}
        />
      )}
      <LinkPanel
        id="intakes"
        title="Intakes"
        hint="GitHub, GitLab, Forgejo or Gitea announces for you, without a step in any pipeline."
      />
      {site.hasWebhooks && (
        <LinkPanel
          id="webhooks"
          title="Webhooks"
          hint="Send your deployments to an address, or into a chat."
        />
      )}
      <ProfilePanel
        viewer={viewer}
        {...refusalOf('profile')}
        name={values.name}
        notice={noticeOf('profile')}
      />
      {site.hasPasswords && (
        <>
          <PasswordPanel viewer={viewer} {...refusalOf('password')} notice={noticeOf('password')} />
          <SessionsPanel now={now} sessions={sessions} notice={noticeOf('sessions')} />
        </>
      )}
      <HistoryPanel imported={props.imported} notice={noticeOf('history')} />
      <ExportPanel />
      <DeletePanel
        viewer={viewer}
        {...refusalOf('delete')}
        typed={values.username}
        hasPassword={site.hasPasswords}
      />
    </Layout>
  )
}

/** The link to a page of settings. */
function LinkPanel({ id, title, hint }: { id: string; title: string; hint: string }): JSX.Element {
  return (
    <Panel id={id} title={title} hint={hint}>
      <p>
        <a class="button" href={`/settings/${id}`} safe>
          {title}
        </a>
      </p>
    </Panel>
  )
}
