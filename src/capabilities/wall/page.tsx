import { Html } from '@elysiajs/html'
import type { Deployment } from '../../domain/deployment.ts'
import { freshnessOf } from '../../domain/freshness.ts'
import { type Project, projectIn } from '../../domain/link.ts'
import type { DeployedTarget } from '../../domain/statistics/overview.ts'
import { barHeight, countDay, type Tally } from '../../domain/statistics/tally.ts'
import { targetOf } from '../../domain/target.ts'
import { day, hour, startOfDay, utcDayOf } from '../../domain/time.ts'
import { DeploymentEntry } from '../../views/deployment/entry.tsx'
import { liveAddress, type PartOfFeed } from '../../views/page/address.ts'
import { escaped } from '../../views/parts/markup.ts'
import { inDigits } from '../../views/parts/numbers.ts'
import { readableProject } from '../../views/parts/readable-address.ts'
import { ShortAge } from '../../views/parts/time-element.tsx'
import { type MomentProps, partInWords, WallFrame } from './frame.tsx'
import { wallAddress } from './links.tsx'

/** How many projects are listed next to the deployments. */
const maxProjects = 6

type WallProps = MomentProps & {
  part: PartOfFeed
  /** The latest deployments; a wallboard has room for seven, and shows one of successive ones by bots. */
  deployments: readonly Deployment[]
  targets: readonly DeployedTarget[]
  tally: Tally
}

/** A wallboard of a part of the feed. Its day is that of UTC until the scripts show the reader's own. */
export function WallPage({ part, deployments, targets, tally, ...moment }: WallProps): JSX.Element {
  const { now } = moment
  const address = wallAddress(part)
  return (
    <WallFrame {...moment} {...{ address }} of={partInWords(part)} live={liveAddress(part)}>
      <section class="wall-list" aria-labelledby="wall-latest">
        <h2 class="unseen" id="wall-latest">
          Latest deployments
        </h2>
        <ol id="latest">
          {deployments.map((deployment) => (
            <DeploymentEntry deployment={deployment} now={now} />
          ))}
        </ol>
        <p class="wall-empty">No deployments yet. The next one will appear here.</p>
      </section>
      <aside class="wall-side" id="wall-side" aria-label="Numbers">
        <Numbers tally={tally} now={now} />
        <section class="wall-projects">
          <h2>Projects</h2>
          <ul>
            {projectsOf(targets).map(({ project, deployedAt }) => {
              const freshness = freshnessOf(deployedAt, now)
              return (
                <li>
                  <span class={`dot ${freshness.toLowerCase()}`} role="img" aria-label={freshness} />
                  <bdi dir="ltr">{escaped(readableProject(project))}</bdi>
                  <ShortAge instant={deployedAt} now={now} />
                </li>
              )
            })}
          </ul>
        </section>
      </aside>
    </WallFrame>
  )
}

function Numbers({ tally, now }: { tally: Tally; now: Date }): JSX.Element {
  const midnight = startOfDay(utcDayOf(now)).getTime()
  const { today, yesterdayByNow, hours } = countDay(tally, {
    hours: Array.from({ length: 25 }, (_, n) => midnight + n * hour),
    yesterday: midnight - day,
    yesterdayNow: now.getTime() - day,
  })
  // Most counts are zero and are omitted between their commas.
  const counts = tally.counts.map((count) => (count === 0 ? '' : count)).join(',')
  return (
    <div id="wall-numbers" data-from={tally.from} data-counts={counts}>
      <section class="wall-today">
        <h2>
          Today<span class="wall-zone"> (UTC)</span>
        </h2>
        <p>
          <strong id="wall-count">{escaped(inDigits(today))}</strong>{' '}
          <span id="wall-yesterday" safe>
            {yesterdayByNow === null ? '' : `${inDigits(yesterdayByNow)} by this time yesterday`}
          </span>
        </p>
      </section>
      <section class="wall-hours">
        <h2>By hour</h2>
        <Bars hours={hours} current={now.getUTCHours()} />
      </section>
    </div>
  )
}

/** The bars of the hours, in a viewBox in which an hour is 4 wide; wall-numbers.js updates them. */
function Bars({ hours, current }: { hours: readonly number[]; current: number }): JSX.Element {
  const most = Math.max(1, ...hours)
  return (
    <svg id="wall-bars" viewBox="0 0 96 32" role="img" aria-label="Deployments in each hour of today">
      {hours.map((count, hour) => {
        const height = barHeight(count, most)
        const look = count === 0 ? 'none' : hour === current ? 'current' : 'past'
        return <rect class={look} x={hour * 4} y={24 - height} width="3" height={height} rx="0.5" />
      })}
      {['00', '06', '12', '18'].map((hour, n) => (
        <text x={n * 24} y="31" safe>
          {hour}
        </text>
      ))}
    </svg>
  )
}

/** The targets of a project share a row, which shows the latest time. */
function projectsOf(targets: readonly DeployedTarget[]) {
  const projects = new Map<string, { project: Project; deployedAt: Date }>()
  for (const { target, deployedAt } of targets) {
    const found = targetOf(target)
    const project = found === null ? null : projectIn(found)
    if (project !== null && !projects.has(project.scope)) projects.set(project.scope, { project, deployedAt })
  }
  return [...projects.values()].slice(0, maxProjects)
}
