import { Html, type PropsWithChildren } from '@elysiajs/html'
import { facetsInWords } from '../../domain/feed/facets.ts'
import { timestampOf } from '../../domain/time.ts'
import { type PartOfFeed, underBasePath } from '../../views/page/address.ts'
import { Chevrons } from '../../views/page/layout.tsx'
import type { Site } from '../../views/page/site.ts'
import { clockOf } from '../../views/parts/dates.ts'
import { escaped } from '../../views/parts/markup.ts'
import { readableTarget } from '../../views/parts/readable-address.ts'

/** Without scripts, the page reloads after this many seconds. */
const reloadSeconds = 60

export type MomentProps = { site: Site; now: Date; seen: number }

/** What a wallboard is of. */
export function partInWords({ username, target, by = {} }: PartOfFeed): readonly string[] {
  const words = [
    username === null ? '' : `@${username}`,
    target === null ? '' : readableTarget(target),
    ...facetsInWords(by),
  ]
  return words.filter((word) => word !== '')
}

type FrameProps = PropsWithChildren<
  MomentProps & {
    address: string
    live: string
    /** What it shows; nothing for everything. */
    of: readonly string[]
    view?: string
  }
>

/** The document of a wallboard: a separate one, without the layout of the other pages. */
export function WallFrame(props: FrameProps): JSX.Element {
  const { site, now, seen, address, live, of: shown, view, children } = props
  const part = shown.length === 0 ? [new URL(site.baseUrl).host] : shown
  const of = (view === undefined ? part : [...part, view]).join(' · ')
  return underBasePath(
    site.baseUrl,
    <html lang="en" class="wall-page">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="dark" />
        <title safe>{`Wallboard of ${of} · Shipfeed`}</title>
        <meta name="description" content={escaped(`Live deployments: ${of}.`)} />
        <link rel="canonical" href={escaped(site.baseUrl + address)} />
        <link rel="icon" href={site.assets.favicon} type="image/svg+xml" />
        <link rel="stylesheet" href={site.assets.css} />
        <link rel="stylesheet" href={site.assets.wall.css} />
        <script src={site.assets.wall.script} type="module"></script>
        <noscript>
          <meta http-equiv="refresh" content={String(reloadSeconds)} />
        </noscript>
      </head>
      <body>
        <main id="wall" data-now={timestampOf(now)} data-seen={seen} data-live={escaped(live)}>
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
