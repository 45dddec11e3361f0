import { Html } from '@elysiajs/html'
import { day, hour, startOfDay, utcDayOf } from '../../domain/ages-and-days.ts'
import { freshnessOf } from '../../domain/freshness.ts'
import { type Project, projectOf } from '../../domain/link.ts'
import type { DeployedTarget } from '../../domain/statistics/overview-and-heat.ts'
import { barHeight, countDay, type DayBounds, type Tally } from '../../domain/statistics/tally.ts'
import { inDigits } from '../parts/links-and-marks.tsx'
import { readableHost, readablePath } from '../parts/readable-address.ts'
import { ShortAge } from '../parts/time-element.tsx'

const mostProjects = 6

type Props = { targets: readonly DeployedTarget[]; tally: Tally; now: Date }

/** The numbers of the day, in UTC until the scripts show the reader's zone, and the latest projects. */
export function WallSide({ targets, tally, now }: Props): JSX.Element {
  return (
    <aside class="wall-side" id="wall-side" aria-label="Numbers">
      <Numbers tally={tally} now={now} />
      <section class="wall-projects">
        <h2>Projects</h2>
        <ul>
          {projectsOf(targets).map(({ project, deployedAt }) => (
            <ProjectRow project={project} deployedAt={deployedAt} now={now} />
          ))}
        </ul>
      </section>
    </aside>
  )
}

function Numbers({ tally, now }: Omit<Props, 'targets'>): JSX.Element {
  const { today, yesterdayByNow, hours } = countDay(tally, boundsInUtc(now))
  return (
    <div id="wall-numbers" data-from={tally.from} data-counts={sparse(tally.counts)}>
      <section class="wall-today">
        <h2>
          Today<span class="wall-zone"> (UTC)</span>
        </h2>
        <p>
          <strong id="wall-count" safe>
            {inDigits(today)}
          </strong>{' '}
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

type ProjectRowProps = { project: Project; deployedAt: Date; now: Date }

function ProjectRow({ project, deployedAt, now }: ProjectRowProps): JSX.Element {
  const freshness = freshnessOf(deployedAt, now)
  return (
    <li>
      <span class={`dot ${freshness.toLowerCase()}`} role="img" aria-label={freshness} />
      <bdi dir="ltr" safe>
        {project.owner === null
          ? readableHost(project.name)
          : `${readablePath(project.owner)}/${readablePath(project.name)}`}
      </bdi>
      <ShortAge instant={deployedAt} now={now} />
    </li>
  )
}

/** The targets of a project share a row, which shows the latest time. */
function projectsOf(targets: readonly DeployedTarget[]): { project: Project; deployedAt: Date }[] {
  const projects = new Map<string, { project: Project; deployedAt: Date }>()
  for (const { target, deployedAt } of targets) {
    const project = projectOf(`https://${target}`)
    if (project !== null && !projects.has(project.scope)) projects.set(project.scope, { project, deployedAt })
  }
  return [...projects.values()].slice(0, mostProjects)
}

function boundsInUtc(now: Date): DayBounds {
  const midnight = startOfDay(utcDayOf(now)).getTime()
  return {
    hours: Array.from({ length: 25 }, (_, n) => midnight + n * hour),
    yesterday: midnight - day,
    yesterdayNow: now.getTime() - day,
  }
}

/** Most counts are zero and are omitted between their commas. */
function sparse(counts: readonly number[]): string {
  return counts.map((count) => (count === 0 ? '' : count)).join(',')
}
