import { Html, type PropsWithChildren } from '@elysiajs/html'
import type { Deployment } from '../../domain/deployment.ts'
import {
  type Ahead,
  type BoardRow,
  boardOf,
  type Compared,
  type LiveEnvironment,
} from '../../domain/environments.ts'
import { type Freshness, freshnessOf } from '../../domain/freshness.ts'
import { headlineOf } from '../../domain/message/headline.ts'
import { environmentKey } from '../../domain/release.ts'
import { Line, shortCommit, VersionLabel } from '../deployment/labels.tsx'
import { profileAddress } from '../page/address.ts'
import { escaped, template } from '../parts/markup.ts'
import { counted } from '../parts/numbers.ts'
import { Panel } from '../parts/panel.tsx'
import { ShortAge } from '../parts/time-element.tsx'

type Props = { username: string; target: string; live: readonly LiveEnvironment[]; now: Date }

/** The number of environments shown before the rest are folded: each pull request may have one. */
const shownAtOnce = 8

/** How many deployments are listed of those that the next environment does not have yet. */
const listedAhead = 10

/** The board of a project: what is live in each environment. Empty if there is one environment or none. */
export function Environments({ live, ...props }: Props): JSX.Element {
  if (live.length < 2) return ''
  const rows = boardOf(live)
  const more = rows.slice(shownAtOnce)
  return (
    <Panel id="environments" title="Environments">
      <Rows {...props} rows={rows.slice(0, shownAtOnce)} />
      {more.length > 0 && (
        <details class="fold">
          <summary safe>{counted(more.length, 'more environment')}</summary>
          <Rows {...props} rows={more} />
        </details>
      )}
    </Panel>
  )
}

type RowsProps = Omit<Props, 'live'> & { rows: readonly BoardRow[] }

function Rows({ rows, username, target, now }: RowsProps): JSX.Element {
  return (
    <ul class="live-in">
      {rows.map(({ deployment, ahead }) => {
        const { environment = '', version, commit } = deployment
        return (
          <li>
            <EnvironmentTag {...{ username, target, environment }} />
            <Live deployment={deployment} now={now}>
              {(version ?? commit) !== undefined && (
                <bdi class="what">
                  <Line line={headlineOf(deployment.message).subject} />
                </bdi>
              )}
              {version !== undefined && commit !== undefined && (
                <code class="commit" safe>
                  {shortCommit(commit)}
                </code>
              )}
            </Live>
            {ahead !== null && ahead.deployments.length > 0 && (
              <NotYetThere ahead={ahead} id={aheadId(environment)} username={username} />
            )}
          </li>
        )
      })}
    </ul>
  )
}

type TagProps = { username: string; target: string | null; environment: string }

export function EnvironmentTag({ username, target, environment }: TagProps): JSX.Element {
  const list = { target, category: null, environment: environmentKey(environment) }
  return (
    <a class="environment tag" href={escaped(profileAddress(username, list))}>
      <bdi safe>{environment}</bdi>
    </a>
  )
}

type LiveProps = PropsWithChildren<{ deployment: Deployment; now: Date }>

/** What is live: the version, else the commit, else the headline; and since when. The children are between these. */
export function Live({ deployment, now, children }: LiveProps): JSX.Element {
  const { id, poster, version, commit, message, deployedAt } = deployment
  const release = version ?? shortCommit(commit)
  return (
    <>
      <a class={release === null ? 'quiet' : 'quiet release-name'} href={`/${poster.username}/${id}`}>
        {version === undefined ? (
          <bdi>{release === null ? Line({ line: headlineOf(message).subject }) : escaped(release)}</bdi>
        ) : (
          <VersionLabel version={version} />
        )}
      </a>
      {children}
      <span class="hint age-of">
        <Dot freshness={freshnessOf(deployedAt, now)} />
        <ShortAge instant={deployedAt} now={now} />
      </span>
    </>
  )
}

export function Dot({ freshness }: { freshness: Freshness }): JSX.Element {
  return dot({ freshness, state: freshness.toLowerCase() })
}

const dot = template<'freshness' | 'state'>(({ freshness, state }) => (
  <span class={`dot ${state}`} role="img" aria-label={freshness} title={freshness} />
))

/** The id of the list of what is ahead: links open it, and htmx keeps it open when it refreshes the board. */
export function aheadId(environment = ''): string {
  return `ahead-in-${environmentKey(environment)}`
}

/** "3+ ahead": how many deployments the next environment does not have yet. */
export function countAhead({ deployments, isMore }: Ahead<Compared>): string {
  return `${deployments.length}${isMore ? '+' : ''} ahead`
}

/** "3 ahead of production", and which they are. */
function NotYetThere({ ahead, id, username }: { ahead: Ahead; id: string; username: string }): JSX.Element {
  const { of, deployments, isMore } = ahead
  const unlisted = deployments.length - listedAhead
  return (
    <details class="fold ahead">
      <summary safe>{`${countAhead(ahead)} of ${of}`}</summary>
      <ul id={escaped(id)}>
        {deployments.slice(0, listedAhead).map(({ id, message, version }) => (
          <li>
            <a class="quiet" href={`/${username}/${id}`}>
              <bdi>
                <Line line={headlineOf(message).subject} />
              </bdi>
            </a>
            {version !== undefined && <VersionLabel version={version} />}
          </li>
        ))}
      </ul>
      {unlisted > 0 && <p class="hint" safe>{`and ${unlisted}${isMore ? ' or' : ''} more`}</p>}
    </details>
  )
}
