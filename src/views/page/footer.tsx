import { Html } from '@elysiajs/html'
import { attribute } from '../parts/attribute.ts'
import { type Feeds, SubscribeLinks } from '../syndication/links.tsx'
import type { Site } from './site.ts'

const everything: Feeds = { username: null, category: null, target: null }

/** The bottom of every page; its feeds are those of the page, or everybody's. */
export function Footer({ site, feeds = everything }: { site: Site; feeds?: Feeds | undefined }): JSX.Element {
  return (
    <footer class="foot">
      <nav class="foot-links" aria-label="About">
        <a href="/docs">Docs</a>
        <SubscribeLinks {...feeds} />
        <a href="/readyz">Status</a>
        {site.sourceUrl !== null && <a href={attribute(site.sourceUrl)}>Source</a>}
        {/* local-time.js tells the reader's. */}
        <p id="zone">Times are in UTC</p>
      </nav>
    </footer>
  )
}
