import { Html, type PropsWithChildren } from '@elysiajs/html'
import type { User } from '../../domain/account/user.ts'
import { attribute } from '../parts/attribute.ts'
import { AlternateLinks, type Feeds } from '../syndication/links.tsx'
import { underBasePath } from './base-path.ts'
import { Footer } from './footer.tsx'
import { Header, type Section } from './header.tsx'
import type { Site } from './site.ts'

type Props = PropsWithChildren<{
  site: Site
  viewer: User | null
  title: string
  current?: Section
  description?: string
  canonical?: string
  /** Of what the page lists. */
  feeds?: Feeds
  head?: PropsWithChildren['children']
}>

const summary = 'Pipelines announce their deployments with one HTTP request; a feed and a badge show them.'

/** When a part of a page is refreshed, what the reader opened stays open, and the focus stays. */
const htmxConfig = JSON.stringify({ morphIgnore: ['data-htmx-powered', 'open', 'tabindex'] })

/** The whole document except its doctype. `canonical` is a path below the public address. */
export function Layout(props: Props): JSX.Element {
  const { site, viewer, title, current, description, canonical, feeds, head, children } = props
  return underBasePath(
    site.baseUrl,
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="htmx-config" content={htmxConfig} />
        <title safe>{`${title} · Shipfeed`}</title>
        <meta name="description" content={attribute(description ?? summary)} />
        {canonical !== undefined && <link rel="canonical" href={attribute(site.baseUrl + canonical)} />}
        {feeds !== undefined && <AlternateLinks {...feeds} />}
        {head}
        <link rel="icon" href={site.assets.favicon} type="image/svg+xml" />
        <link rel="stylesheet" href={site.assets.css} />
        <script src={site.assets.app} type="module"></script>
      </head>
      <body>
        <a class="skip" href="#main">
          Skip to the content
        </a>
        <Header viewer={viewer} current={current} registrationOpen={site.registrationOpen} />
        <main id="main" tabindex="-1">
          {children}
        </main>
        <Footer site={site} feeds={feeds} />
        {/* Deferred, htmx would start before its extension and app.js are there. */}
        <script src={site.assets.htmx}></script>
        <script src={site.assets.sse}></script>
      </body>
    </html>,
  )
}
