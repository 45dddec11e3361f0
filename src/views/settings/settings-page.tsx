import { Html } from '@elysiajs/html'
import type { User } from '../../domain/account/user.ts'
import type { Deployment } from '../../domain/deployment.ts'
import { Layout } from '../page/layout.tsx'
import type { Site } from '../page/site.ts'
import { type FormState, freshForm } from '../parts/form-fields.tsx'
import { Panel } from '../parts/panels-and-forms.tsx'
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
import { TokenPanel, type TokenRow } from './token.tsx'

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
  token: TokenRow | null
  newToken: string | null
  /** How many tokens there are besides that one. */
  otherTokens: number
  /** Null if there is none, or everybody may read. */
  readKey: Parameters<typeof ReadKeyPanel>[0]['readKey']
  newKey: string | null
  publishers: readonly PublisherRow[]
  sessions: readonly SessionRow[]
  /** The hash of the viewer's session. */
  current: string
  refusals: readonly RefusalRow[]
  /** The checklist up to the first deployment; null once it is complete. */
  checklist: { readonly first: Deployment | null } | null
  /** How many deployments are from history. */
  imported: number
  notice: SettingsNotice | null
  /** The form that was refused. */
  refused: (FormState & { readonly panel: PanelName }) | null
  /** Whether a new token or publisher needs the password. */
  asksPassword: boolean
}

/** `newToken` and `newKey` are a token and a key in plain text, each given once after it was made. */
export function SettingsPage(props: Props): JSX.Element {
  const {
    site,
    viewer,
    now,
    newToken,
    newKey,
    refusals,
    checklist,
    imported,
    notice,
    refused,
    asksPassword,
  } = props
  const formOf = (panel: PanelName, fresh = freshForm) => (refused?.panel === panel ? refused : fresh)
  const guarded = (panel: PanelName) => ({ viewer, asksPassword, form: formOf(panel) })
  const noticeOf = (panel: PanelName) => (notice?.panel === panel ? notice.text : null)
  const { token, otherTokens } = props
  const tokenProps = { ...guarded('token'), now, token, newToken, otherTokens }
  return (
    <Layout site={site} viewer={viewer} title="Settings" current="settings">
      <h1>Settings</h1>
      {checklist !== null && (
        <ChecklistPanel
          {...{ site, viewer, now, refusals, imported }}
          token={tokenProps}
          first={checklist.first}
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
          {...guarded('read-key')}
          {...{ now, newKey }}
          readKey={props.readKey}
          publicBadges={site.publicBadges}
        />
      )}
      {site.issuers.length > 0 && (
        <PublishersPanel
          {...guarded('publishers')}
          {...{ site, now }}
          publishers={props.publishers}
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
        form={formOf('profile', { ...freshForm, typed: { name: viewer.name } })}
        notice={noticeOf('profile')}
      />
      {site.hasPasswords && (
        <>
          <PasswordPanel viewer={viewer} form={formOf('password')} notice={noticeOf('password')} />
          <SessionsPanel
            {...{ now, current: props.current }}
            sessions={props.sessions}
            notice={noticeOf('sessions')}
          />
        </>
      )}
      <HistoryPanel imported={imported} notice={noticeOf('history')} />
      <ExportPanel />
      <DeletePanel viewer={viewer} form={formOf('delete')} hasPassword={site.hasPasswords} />
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
