import { Html } from '@elysiajs/html'
import type { User } from '../../domain/account/user.ts'
import type { BoardRow, Compared, EnvironmentTable } from '../../domain/environments.ts'
import { OpenGraph } from '../deployment/link-preview.tsx'
import { AccountDeleted, Arrivals, LiveState } from '../feed/live.tsx'
import { environmentsAddress, liveAddress, projectAddress, wallAddress } from '../page/address.ts'
import { Layout, MomentOfList } from '../page/layout.tsx'
import type { PageProps } from '../page/site.ts'
import { PageOwner } from '../parts/avatar.tsx'
import { escaped } from '../parts/markup.ts'
import { counted } from '../parts/numbers.ts'
import { forgeAndName } from '../parts/readable-address.ts'
import { aheadId, countAhead, EnvironmentTag, Live } from './environments.tsx'
import { refreshedFrom } from './overview.tsx'

/** Of a user with more projects, those that they deployed to longest ago are left out. */
const mostRows = 100

/** How many of the folded deployments are listed. */
const mostOthers = 100

type Props = PageProps & { user: User; table: EnvironmentTable; now: Date; seen: number }

export function EnvironmentsPage({ site, viewer, user, table, now, seen }: Props): JSX.Element {
  const { username, name } = user
  const address = environmentsAddress(username)
  const everything = { username, target: null, category: null, environment: null }
  const more = table.rows.length - mostRows
  const title = `Environments of ${name}`
  const description = `What is live in each environment of the projects of ${name}.`
  return (
    <Layout
      {...{ site, viewer, title, description }}
      canonical={address}
      head={<OpenGraph address={site.baseUrl + address} {...{ title, description }} />}
    >
      <header class="project-head">
        <PageOwner user={user} />
        <div class="list-head">
          <h1>Environments</h1>
          <LiveState canPause={false} />
        </div>
        <p class="hint">
          The newest deployment of each project to each environment.{' '}
          <a href={escaped(wallAddress(everything, 'environments'))}>Wallboard</a>
        </p>
      </header>
      <div id="overview" data-of={username} {...refreshedFrom(address)}>
        {table.rows.length === 0 ? (
          <p class="empty">
            Nothing is live anywhere yet. Announce a deployment with a link and an <code>environment</code>,
            and it appears here. <a href="/docs">See how</a>
          </p>
        ) : (
          <EnvironmentsTable {...{ table, username, now }} most={mostRows} />
        )}
        {more > 0 && <p class="hint" safe>{`and ${counted(more, 'more project')}`}</p>}
        <Others {...{ table, username, now }} />
      </div>
      <Arrivals address={liveAddress(everything)} />
      <AccountDeleted />
      <MomentOfList now={now} seen={seen} />
    </Layout>
  )
}

type TableProps = { table: EnvironmentTable; username: string; now: Date; most: number }

/** Projects in rows and environments in columns; on phones, each project with a line for each environment. */
export function EnvironmentsTable({ table, username, now, most }: TableProps): JSX.Element {
  const { columns, rows } = table
  return (
    <table class="live-where">
      <thead>
        <tr>
          <th scope="col">Project</th>
          {columns.map((environment) => (
            <th scope="col">
              <EnvironmentTag username={username} target={null} environment={environment} />
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.slice(0, most).map(({ target, cells }) => (
          <tr id={escaped(`live-of-${target}`)}>
            <th scope="row">
              <ProjectName username={username} target={target} />
            </th>
            {cells.map((cell, column) =>
              cell === null ? (
                <td class="none">
                  <span class="unseen">nothing</span>
                </td>
              ) : (
                <td>
                  <span class="on-phones" aria-hidden="true">
                    <span class="environment tag">{escaped(columns[column] ?? '')}</span>
                  </span>
                  <Live deployment={cell.deployment} now={now} />
                  <AheadLink cell={cell} address={projectAddress(username, target)} />
                </td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** "3 ahead of production", a link to which they are. */
function AheadLink({ cell, address }: { cell: BoardRow<Compared>; address: string }): JSX.Element {
  const { deployment, ahead } = cell
  if (ahead === null || ahead.deployments.length === 0) return ''
  return (
    <a class="ahead-of" href={escaped(`${address}#${aheadId(deployment.environment)}`)}>
      <span safe>{countAhead(ahead)}</span>
      <span class="of" safe>{` of ${ahead.of}`}</span>
    </a>
  )
}

/** What is live in the environments that have no column. */
function Others({ table, username, now }: Omit<TableProps, 'most'>): JSX.Element {
  const { others, otherEnvironments } = table
  if (others.length === 0) return ''
  const unlisted = others.length - mostOthers
  return (
    <details class="fold other-environments" id="other-environments">
      <summary safe>{counted(otherEnvironments, 'more environment')}</summary>
      <ul class="live-in">
        {others.slice(0, mostOthers).map(({ target, deployment }) => (
          <li>
            <EnvironmentTag username={username} target={target} environment={deployment.environment ?? ''} />
            <span class="in-project">
              <ProjectName username={username} target={target} />
            </span>
            <Live deployment={deployment} now={now} />
          </li>
        ))}
      </ul>
      {unlisted > 0 && <p class="hint" safe>{`and ${counted(unlisted, 'more deployment')}`}</p>}
    </details>
  )
}

function ProjectName({ username, target }: { username: string; target: string }): JSX.Element {
  return (
    <a class="quiet" href={escaped(projectAddress(username, target))}>
      <bdi dir="ltr">{escaped(forgeAndName(target).name)}</bdi>
    </a>
  )
}
