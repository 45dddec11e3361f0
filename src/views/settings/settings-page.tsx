import { Html } from '@elysiajs/html'
import type { Deployment } from '../../domain/deployment.ts'
import type { RefusedCall } from '../../domain/refused-call.ts'
import { Layout } from '../page/layout.tsx'
import { type FormState, freshForm } from '../parts/form-fields.tsx'
import { escaped } from '../parts/markup.ts'
import { Panel } from '../parts/panel.tsx'
import {
  DeletePanel,
  EnvironmentsPanel,
  ExportPanel,
  HistoryPanel,
  type PanelProps,
  PasswordPanel,
  ProfilePanel,
  SessionsPanel,
  type SessionsProps,
} from './account.tsx'
import { AnnounceSnippets, ChecklistPanel } from './checklist.tsx'
import { RefusalsPanel } from './refused-calls.tsx'
import type { LinkedPage, ShownPanel } from './section.ts'
import { TokenPanel, type TokenProps } from './token.tsx'

/** The message in the panel with this id. */
export type SettingsNotice = { readonly panel: string; readonly text: string }

/** The props of its panels, other than those that the page chooses for each of them. */
type Props = Omit<TokenProps & SessionsProps, 'form' | 'notice'> & {
  refusals: readonly RefusedCall[]
  /** The checklist up to the first deployment; null once it is complete. */
  checklist: { readonly first: Deployment | null } | null
  /** How many deployments are from history. */
  imported: number
  /** The pages and panels of capabilities. */
  sections: readonly (LinkedPage | ShownPanel)[]
  notice: SettingsNotice | null
  refused: (FormState & { readonly panel: string }) | null
}

/** `newToken` is a token in plain text, given once after it was made. */
export function SettingsPage(props: Props): JSX.Element {
  const { site, viewer, now, refusals, checklist, imported, sections, notice, refused, asksPassword } = props
  const panel = (name: string, fresh = freshForm): PanelProps => ({
    ...{ site, viewer, now, asksPassword },
    form: refused?.panel === name ? refused : fresh,
    notice: notice?.panel === name ? notice.text : null,
  })
  const { token, newToken, otherTokens } = props
  const environments = (viewer.environmentOrder ?? []).join(', ')
  const tokenPanel = { ...panel('token'), token, newToken, otherTokens }
  return (
    <Layout site={site} viewer={viewer} title="Settings" current="settings">
      <h1>Settings</h1>
      <Contents site={site} sections={sections} />
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
      {sections.map((section) =>
        'show' in section ? section.show(panel(section.id)) : <LinkPanel {...section} />,
      )}
      <ProfilePanel {...panel('profile', { ...freshForm, typed: { name: viewer.name } })} />
      <EnvironmentsPanel {...panel('environments', { ...freshForm, typed: { environments } })} />
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
function Contents({ site, sections }: Pick<Props, 'site' | 'sections'>): JSX.Element {
  const links: readonly (readonly [href: string, name: string, isShown?: boolean])[] = [
    ['/settings/tokens', 'Tokens'],
    ...sections.map((one) => ['show' in one ? `#${one.id}` : `/settings/${one.id}`, one.name] as const),
    ['#profile', 'Profile'],
    ['#environments', 'Environments'],
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

function LinkPanel({ id, name, hint }: LinkedPage): JSX.Element {
  return (
    <Panel id={id} title={name} hint={hint}>
      <p>
        <a class="button" href={`/settings/${id}`}>
          {escaped(name)}
        </a>
      </p>
    </Panel>
  )
}
