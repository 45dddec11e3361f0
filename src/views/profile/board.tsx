import { Html, type PropsWithChildren } from '@elysiajs/html'
import type { Deployment } from '../../domain/deployment.ts'
import {
  type Ahead,
  type BoardRow,
  boardOf,
  type Compared,
  type LiveEnvironment,
  waitOf,
} from '../../domain/environment/board.ts'
import { environmentKey } from '../../domain/environment/environment.ts'
import { type Freshness, freshnessOf } from '../../domain/freshness.ts'
import { projectOf } from '../../domain/link.ts'
import { headlineOf } from '../../domain/message/headline.ts'
import { shortCommit } from '../../domain/release/release.ts'
import { CompareOn } from '../deployment/comparison.tsx'
import { Line, VersionLabel } from '../deployment/labels.tsx'
import { profileAddress } from '../page/address.ts'
import { escaped, template } from '../parts/markup.ts'
import { counted } from '../parts/numbers.ts'
import { Panel } from '../parts/panel.tsx'
import { ShortAge } from '../parts/time-element.tsx'

type Props = { username: string; target: string; live: readonly LiveEnvironment[]; now: Date }

/** The number of environments shown before the rest are folded: each pull request may have one. */
const shownAtOnce = 8

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
            <EnvironmentTag
              environment={environment}
              href={environmentAddress(username, target, environment)}
            />
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
              <NotYetThere {...{ ahead, username, now }} id={aheadId(environment)} />
            )}
          </li>
        )
      })}
    </ul>
  )
}

export function EnvironmentTag({ environment, href }: { environment: string; href: string }): JSX.Element {
  return (
    <a class="environment tag" href={escaped(href)}>
      <bdi safe>{environment}</bdi>
    </a>
  )
}

/** The address of a user's deployments to an environment, of one target or of all. */
export function environmentAddress(username: string, target: string | null, environment: string): string {
  return profileAddress(username, { target, by: { environment: environmentKey(environment) } })
}

type LiveProps = PropsWithChildren<{ deployment: Deployment; now: Date }>

/**
 * What is live: the version, else the commit, else the headline; since when, and a link to where it runs. The children
 * are between the first two.
 */
export function Live({ deployment, now, children }: LiveProps): JSX.Element {
  const { id, poster, environment = '', environment_url, version, commit, message, deployedAt } = deployment
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
        {deployment.replaced?.step === 'back' && <span class="back-to">rolled back</span>}
        <Dot freshness={freshnessOf(deployedAt, now)} />
        <ShortAge instant={deployedAt} now={now} />
        {environment_url !== undefined && (
          <a class="reference" href={escaped(environment_url)} rel="nofollow ugc noreferrer">
            <span class="unseen" safe>{`Open ${environment} of ${projectOf(deployment)?.name ?? ''}`}</span>
          </a>
        )}
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

/** "3 ahead of production for 6 days", with "50+" for more than are counted; and how that looks. */
export function aheadInWords(ahead: Ahead<Compared>, now: Date) {
  const { of, deployments, isMore } = ahead
  const wait = waitOf(ahead, now)
  return {
    count: `${deployments.length}${isMore ? '+' : ''} ahead`,
    of: `of ${of}`,
    wait: wait === null ? '' : `for ${wait.duration}`,
    look: wait?.look,
  }
}

type NotYetThereProps = { ahead: Ahead; id: string; username: string; now: Date }

/** "3 ahead of production for 6 days", and which they are. */
function NotYetThere({ ahead, id, username, now }: NotYetThereProps): JSX.Element {
  const { count, of, wait, look } = aheadInWords(ahead, now)
  return (
    <details class="fold ahead">
      <summary class={look} safe>
        {`${count} ${of} ${wait}`.trimEnd()}
      </summary>
      <ul id={escaped(id)}>
        {ahead.deployments.map(({ id, message, version, deployedAt }) => (
          <li>
            <a class="quiet" href={`/${username}/${id}`}>
              <bdi>
                <Line line={headlineOf(message).subject} />
              </bdi>
            </a>
            {version !== undefined && <VersionLabel version={version} />}
            <ShortAge instant={deployedAt} now={now} />
          </li>
        ))}
      </ul>
      {ahead.isMore && <p class="hint">and older ones</p>}
      {ahead.compare !== null && (
        <p class="hint">
          <CompareOn url={ahead.compare} />
        </p>
      )}
    </details>
  )
}
