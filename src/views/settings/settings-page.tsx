import { Html } from '@elysiajs/html'
import type { Deployment } from '../../domain/deployment.ts'
import { Layout } from '../page/layout.tsx'
import type { Site } from '../page/site.ts'
import { type FormState, freshForm } from '../parts/form-fields.tsx'
import { escaped } from '../parts/markup.ts'
import { Panel } from '../parts/panel.tsx'
import {
  DeletePanel,
  ExportPanel,
  HistoryPanel,
  type PanelProps,
  PasswordPanel,
  ProfilePanel,
  SessionsPanel,
  type SessionsProps,
} from './account.tsx'
import { AnnounceSnippets, ChecklistPanel } from './checklist.tsx'
import { PublishersPanel, type PublishersProps } from './publishers.tsx'
import { ReadKeyPanel, type ReadKeyProps } from './read-key.tsx'
import { type RefusalRow, RefusalsPanel } from './refusals.tsx'
import { TokenPanel, type TokenProps } from './token.tsx'

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

/** The props of its panels, other than those that the page chooses for each of them. */
type Props = Omit<
  TokenProps & ReadKeyProps & PublishersProps & SessionsProps,
  'form' | 'notice' | 'showsSteps'
> & {
  refusals: readonly RefusalRow[]
  /** The checklist up to the first deployment; null once it is complete. */
  checklist: { readonly first: Deployment | null } | null
  /** How many deployments are from history. */
  imported: number
  notice: SettingsNotice | null
  refused: (FormState & { readonly panel: PanelName }) | null
}

/** `newToken` and `newKey` are a token and a key in plain text, each given once after it was made. */
export function SettingsPage(props: Props): JSX.Element {
  const { site, viewer, now, refusals, checklist, imported, notice, refused, asksPassword } = props
  const panel = (name: PanelName, fresh = freshForm): PanelProps => ({
    ...{ site, viewer, now, asksPassword },
    form: refused?.panel === name ? refused : fresh,
    notice: notice?.panel === name ? notice.text : null,
  })
  const { token, newToken, otherTokens } = props
  const tokenPanel = { ...panel('token'), token, newToken, otherTokens }
  return (
    <Layout site={site} viewer={viewer} title="Settings" current="settings">
      <h1>Settings</h1>
      <Contents site={site} />
      {checklist !== null && (
        <ChecklistPanel {...tokenPanel} {...{ refusals, imported }} first={checklist.first} />
      )}
      {/* Until the first deployment, the checklist contains these panels. */}
      <div id="announcing">
        {(checklist === null || checklist.first !== null) && (
          <>
            <TokenPanel {...tokenPanel} />
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
        <ReadKeyPanel {...panel('read-key')} readKey={props.readKey} newKey={props.newKey} />
      )}
      {site.issuers.length > 0 && (
        <PublishersPanel
          {...panel('publishers')}
          publishers={props.publishers}
          showsSteps={notice?.showsSteps === true}
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
      <ProfilePanel {...panel('profile', { ...freshForm, typed: { name: viewer.name } })} />
      {site.hasPasswords && (
        <>
          <PasswordPanel {...panel('password')} />
          <SessionsPanel {...panel('sessions')} sessions={props.sessions} sessionHash={props.sessionHash} />
        </>
      )}
      <HistoryPanel {...panel('history')} imported={imported} />
      <ExportPanel />
      <DeletePanel {...panel('delete')} />
    </Layout>
  )
}

/** The pages and panels of the settings. */
function Contents({ site }: { site: Site }): JSX.Element {
  const links: readonly (readonly [href: string, name: string, isShown?: boolean])[] = [
    ['/settings/tokens', 'Tokens'],
    ['#read-key', 'Read key', site.membersOnly],
    ['#publishers', 'Publishers', site.issuers.length > 0],
    ['/settings/intakes', 'Intakes'],
    ['/settings/webhooks', 'Webhooks', site.hasWebhooks],
    ['#profile', 'Profile'],
    ['#password', 'Password', site.hasPasswords],
    ['#sessions', 'Sessions', site.hasPasswords],
    ['#history', 'History'],
    ['#export', 'Your data'],
    ['#delete', 'Delete'],
  ]
  return (
    <nav aria-label="Settings">
      <ul class="filter">
        {links
          .filter(([, , isShown = true]) => isShown)
          .map(([href, name]) => (
            <li>
              <a class="pill" href={escaped(href)}>
                {escaped(name)}
              </a>
            </li>
          ))}
      </ul>
    </nav>
  )
}

function LinkPanel({ id, title, hint }: { id: string; title: string; hint: string }): JSX.Element {
  return (
    <Panel id={id} title={title} hint={hint}>
      <p>
        <a class="button" href={`/settings/${id}`}>
          {escaped(title)}
        </a>
      </p>
    </Panel>
  )
}
