import { Html, type PropsWithChildren } from '@elysiajs/html'
import { timestampOf } from '../../domain/ages-and-days.ts'
import { categories } from '../../domain/category.ts'
import type { Deployment } from '../../domain/deployment.ts'
import type { EnvironmentTable } from '../../domain/environments.ts'
import type { DeployedTarget } from '../../domain/statistics/overview-and-heat.ts'
import type { Tally } from '../../domain/statistics/tally.ts'
import { DeploymentEntry } from '../deployment/entry.tsx'
import { liveAddress, underBasePath, type WallPart, wallAddress } from '../page/address.ts'
import { Chevrons } from '../page/layout.tsx'
import type { Site } from '../page/site.ts'
import { clockOf } from '../parts/dates.ts'
import { escaped } from '../parts/escaping-and-templates.ts'
import { readableTarget } from '../parts/readable-address.ts'
import { EnvironmentsTable } from '../profile/environments-page.tsx'
import { WallSide } from './side.tsx'

/** Without scripts, the page reloads after this many seconds. */
const reloadSeconds = 60

export type WallProps = {
  site: Site
  part: WallPart
  /** The latest deployments; a wallboard has room for seven. */
  deployments: readonly Deployment[]
  targets: readonly DeployedTarget[]
  tally: Tally
  now: Date
  /** The last event that the list holds. */
  seen: number
}

/** A wallboard of a part of the feed. */
export function WallPage({ site, part, deployments, targets, tally, now, seen }: WallProps): JSX.Element {
  return (
    <Frame {...{ site, part, now, seen }}>
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
      <WallSide targets={targets} tally={tally} now={now} />
    </Frame>
  )
}

/** A wallboard has room for this many projects. */
const mostProjects = 10

type EnvironmentsWallProps = Pick<WallProps, 'site' | 'part' | 'now' | 'seen'> & {
  username: string
  table: EnvironmentTable
}

/** A wallboard of what is live in each environment of a user's projects. */
export function EnvironmentsWall({ username, table, ...frame }: EnvironmentsWallProps): JSX.Element {
  const { now } = frame
  return (
    <Frame {...frame} view={wallViews.environments}>
      <section class="wall-environments" id="wall-side" aria-label="Environments">
        {table.rows.length > 0 ? (
          <EnvironmentsTable table={table} username={username} now={now} most={mostProjects} />
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

type FrameProps = PropsWithChildren<Pick<WallProps, 'site' | 'part' | 'now' | 'seen'> & { view?: string }>

/** The document of a wallboard: a separate one, without the layout of the other pages. */
function Frame({ site, part, view, now, seen, children }: FrameProps): JSX.Element {
  const of = [wordsFor(part) ?? new URL(site.baseUrl).host, ...(view === undefined ? [] : [view])].join(' · ')
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
            <p id="wall-clock" safe>{`${clockOf(now).slice(0, 5)} UTC`}</p>
          </header>
          {children}
        </main>
        <p id="wall-lost" role="status" hidden></p>
      </body>
    </html>,
  )
}

/** The filter of a wallboard in words; null without a filter. */
function wordsFor({ username, target, category, environment }: WallPart): string | null {
  const words = [
    username === null ? '' : `@${username}`,
    target === null ? '' : readableTarget(target),
    category === null ? '' : categories[category],
    environment ?? '',
  ].filter((word) => word !== '')
  return words.length === 0 ? null : words.join(' · ')
}
