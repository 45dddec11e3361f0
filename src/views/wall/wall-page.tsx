import { Html, type PropsWithChildren } from '@elysiajs/html'
import { categories } from '../../domain/category.ts'
import type { Deployment } from '../../domain/deployment.ts'
import type { EnvironmentTable } from '../../domain/environments.ts'
import { freshnessOf } from '../../domain/freshness.ts'
import { type Project, projectOf } from '../../domain/link.ts'
import type { DeployedTarget } from '../../domain/statistics/overview.ts'
import { barHeight, countDay, type Tally } from '../../domain/statistics/tally.ts'
import { day, hour, startOfDay, timestampOf, utcDayOf } from '../../domain/time.ts'
import { DeploymentEntry } from '../deployment/entry.tsx'
import { liveAddress, type PartOfFeed, underBasePath, wallAddress } from '../page/address.ts'
import { Chevrons } from '../page/layout.tsx'
import type { Site } from '../page/site.ts'
import { clockOf } from '../parts/dates.ts'
import { escaped } from '../parts/markup.ts'
import { inDigits } from '../parts/numbers.ts'
import { readableProject, readableTarget } from '../parts/readable-address.ts'
import { ShortAge } from '../parts/time-element.tsx'
import { EnvironmentsTable } from '../profile/environments-page.tsx'

/** Without scripts, the page reloads after this many seconds. */
const reloadSeconds = 60

/** How many projects are listed next to the deployments, and how many the table of environments has. */
const mostProjects = { list: 6, table: 10 } as const

type FrameProps = { site: Site; part: PartOfFeed; now: Date; seen: number }

type WallProps = FrameProps & {
  /** The latest deployments; a wallboard has room for seven, and shows one of successive ones by bots. */
  deployments: readonly Deployment[]
  targets: readonly DeployedTarget[]
  tally: Tally
}

/** A wallboard of a part of the feed. Its day is that of UTC until the scripts show the reader's own. */
export function WallPage({ deployments, targets, tally, ...frame }: WallProps): JSX.Element {
  const { now } = frame
  return (
    <Frame {...frame}>
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
    </Frame>
  )
}

type EnvironmentsWallProps = FrameProps & { username: string; table: EnvironmentTable }

export function EnvironmentsWall({ username, table, ...frame }: EnvironmentsWallProps): JSX.Element {
  return (
    <Frame {...frame} view={wallViews.environments}>
      <section class="wall-environments" id="wall-side" aria-label="Environments">
        {table.rows.length > 0 ? (
          <EnvironmentsTable {...{ table, username }} now={frame.now} most={mostProjects.table} />
        ) : (
          <p class="wall-empty">
            Nothing is live anywhere yet. A deployment with a link and an environment will appear here.
          </p>
        )}
      </section>
    </Frame>
  )
}

/** What `?view=` may be, besides the list. */
export const wallViews = { environments: 'environments' } as const

/** The document of a wallboard: a separate one, without the layout of the other pages. */
function Frame(props: PropsWithChildren<FrameProps & { view?: string }>): JSX.Element {
  const { site, part, view, now, seen, children } = props
  const { username, target, category, environment } = part
  const filter = [
    username === null ? '' : `@${username}`,
    target === null ? '' : readableTarget(target),
    category === null ? '' : categories[category],
    environment ?? '',
  ].filter((word) => word !== '')
  const shown = filter.length === 0 ? [new URL(site.baseUrl).host] : filter
  const of = (view === undefined ? shown : [...shown, view]).join(' · ')
  return underBasePath(
    site.baseUrl,
    <html lang="en" class="wall-page">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="dark" />
        <title safe>{`Wallboard of ${of} · Shipfeed`}</title>
        <meta name="description" content={escaped(`Live deployments: ${of}.`)} />
        <link rel="canonical" href={escaped(site.baseUrl + wallAddress(part, view))} />
        <link rel="icon" href={site.assets.favicon} type="image/svg+xml" />
        <link rel="stylesheet" href={site.assets.css} />
        <link rel="stylesheet" href={site.assets.wall.css} />
        <script src={site.assets.wall.script} type="module"></script>
        <noscript>
          <meta http-equiv="refresh" content={String(reloadSeconds)} />
        </noscript>
      </head>
      <body>
        <main id="wall" data-now={timestampOf(now)} data-seen={seen} data-live={escaped(liveAddress(part))}>
          <header class="wall-head">
            <h1>
              <Chevrons /> Shipfeed
            </h1>
            <p id="wall-state" role="status" data-state="still">
              Reloads every minute
            </p>
            <p class="wall-part">
              <bdi safe>{of}</bdi>
            </p>
            <p id="wall-clock" safe>{`${clockOf(now)} UTC`}</p>
          </header>
          {children}
        </main>
        <p id="wall-lost" role="status" hidden></p>
      </body>
    </html>,
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
    const project = projectOf(`https://${target}`)
    if (project !== null && !projects.has(project.scope)) projects.set(project.scope, { project, deployedAt })
  }
  return [...projects.values()].slice(0, mostProjects.list)
}
