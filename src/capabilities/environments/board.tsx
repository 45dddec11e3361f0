import { Html, type PropsWithChildren } from '@elysiajs/html'
import type { User } from '../../domain/account/user.ts'
import type { EnvironmentTable } from '../../domain/environment/board.ts'
import { OpenGraph } from '../../views/deployment/link-preview.tsx'
import { AccountDeleted, Arrivals, LiveState } from '../../views/feed/live.tsx'
import type { AddressQuery } from '../../views/page/address.ts'
import { Layout, MomentOfList } from '../../views/page/layout.tsx'
import type { PageProps } from '../../views/page/site.ts'
import type { SiteTab } from '../../views/page/slots.ts'
import { PageOwner } from '../../views/parts/avatar.tsx'
import { counted } from '../../views/parts/numbers.ts'
import { EnvironmentTag, environmentAddress, Live } from '../../views/profile/board.tsx'
import { EnvironmentsTable, ProjectName } from '../../views/profile/environments-table.tsx'
import { refreshedFrom } from '../../views/profile/overview.tsx'

/** The projects that were deployed to longest ago are left out. */
const maxRows = 100

/** How many of the folded deployments are listed. */
const maxOthers = 100

export type BoardFacts = { readonly table: EnvironmentTable; readonly now: Date; readonly seen: number }

type Props = PropsWithChildren<
  PageProps &
    BoardFacts & {
      title: string
      description: string
      address: string
      current?: SiteTab
      /** Whose environments these are; null for several users, whom the table then names. */
      user: User | null
      /** The address of the stream whose deployments may change the table. */
      live: string
      toEnvironment: (environment: string) => string
      /** The parameters that say whose they are. */
      whose: AddressQuery
      /** What is said where nothing is live, unless that is how to begin. */
      empty?: JSX.Element | undefined
    }
>

/** A page with a live table of environments; the children are below its heading. */
export function BoardPage(props: Props): JSX.Element {
  const { site, viewer, title, description, address, current, user, live, children } = props
  const { table, now, seen, toEnvironment, whose, empty = nothingYet } = props
  const more = table.rows.length - maxRows
  return (
    <Layout
      {...{ site, viewer, title, description, ...(current && { current }) }}
      canonical={address}
      head={
        <OpenGraph
          {...{ site, title, description }}
          address={site.baseUrl + address}
          pictured={user === null ? site.baseUrl : `${site.baseUrl}/${user.username}`}
        />
      }
    >
      <header class="project-head">
        {user !== null && <PageOwner user={user} />}
        <div class="list-head">
          <h1>Environments</h1>
          <LiveState canPause={false} />
        </div>
        <p class="hint">
          The newest deployment of each project to each environment. {site.slots.besideEnvironments(whose)}
        </p>
        {children}
      </header>
      <div id="overview" data-of={user?.username} {...refreshedFrom(address)}>
        {table.rows.length === 0 ? (
          <p class="empty">{empty}</p>
        ) : (
          <EnvironmentsTable {...{ table, now, toEnvironment }} max={maxRows} isOfMany={user === null} />
        )}
        {more > 0 && <p class="hint" safe>{`and ${counted(more, 'more project')}`}</p>}
        <Others {...{ table, now }} />
      </div>
      <Arrivals address={live} />
      {user !== null && <AccountDeleted />}
      <MomentOfList now={now} seen={seen} />
    </Layout>
  )
}

const nothingYet = (
  <>
    Nothing is live anywhere yet. Announce a deployment with an <code>environment</code> and a link or{' '}
    <code>project</code>, and it appears here. <a href="/docs">See how</a>
  </>
)

/** What is live in the environments that have no column. */
function Others({ table, now }: Pick<BoardFacts, 'table' | 'now'>): JSX.Element {
  const { others, otherEnvironments } = table
  if (others.length === 0) return ''
  const unlisted = others.length - maxOthers
  return (
    <details class="fold other-environments" id="other-environments">
      <summary safe>{counted(otherEnvironments, 'more environment')}</summary>
      <ul class="live-in">
        {others.slice(0, maxOthers).map(({ target, deployment }) => {
          const { environment = '', poster } = deployment
          return (
            <li>
              <EnvironmentTag
                environment={environment}
                href={environmentAddress(poster.username, target, environment)}
              />
              <span class="in-project">
                <ProjectName username={poster.username} target={target} />
              </span>
              <Live deployment={deployment} now={now} />
            </li>
          )
        })}
      </ul>
      {unlisted > 0 && <p class="hint" safe>{`and ${counted(unlisted, 'more deployment')}`}</p>}
    </details>
  )
}
