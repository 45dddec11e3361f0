import { Html, type PropsWithChildren } from '@elysiajs/html'
import type { User } from '../../domain/account/user.ts'
import { timestampOf } from '../../domain/time.ts'
import { Avatar } from '../parts/avatar.tsx'
import { escaped } from '../parts/markup.ts'
import { type PartOfFeed, underBasePath } from './address.ts'
import { Shortcuts } from './shortcuts.tsx'
import type { PageProps } from './site.ts'
import type { SiteTab } from './slots.ts'

type Props = PropsWithChildren<
  PageProps & {
    title: string
    current?: 'feed' | 'docs' | 'settings' | SiteTab
    description?: string
    /** A path below the public address. */
    canonical?: string
    feeds?: PartOfFeed
    head?: PropsWithChildren['children']
    /** When the list of deployments on the page was read, if it has one; a link skips to it. */
    list?: Moment
  }
>

export const tagline = 'What people ship, the moment they ship it.'

export const summary =
  'Pipelines announce their deployments with one HTTP request; a feed and a badge show them.'

/** When htmx refreshes a part of a page, opened details stay open and the focus stays where it is. */
const htmxConfig = JSON.stringify({ morphIgnore: ['data-htmx-powered', 'open', 'tabindex'] })

/** The whole document except its doctype. */
export function Layout(props: Props): JSX.Element {
  const { site, viewer, title, description = summary, canonical, feeds, head, list, children } = props
  return underBasePath(
    site.baseUrl,
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="htmx-config" content={htmxConfig} />
        <title safe>{`${title} · Shipfeed`}</title>
        <meta name="description" content={escaped(description)} />
        {canonical !== undefined && <link rel="canonical" href={escaped(site.baseUrl + canonical)} />}
        {feeds !== undefined && site.slots.inHead(feeds)}
        {head}
        <link rel="icon" href={site.assets.favicon} type="image/svg+xml" />
        <link rel="stylesheet" href={site.assets.css} />
        <script src={site.assets.app} type="module"></script>
        {/* Deferred, it runs after app.js and in a task of its own, so that a slow phone can react in between. */}
        <script src={site.assets.htmx} defer></script>
      </head>
      <body data-private={viewer !== null}>
        <a class="skip" href="#main">
          Skip to content
        </a>
        {list !== undefined && (
          <a class="skip" href="#deployments">
            Skip to deployments
          </a>
        )}
        <SiteHeader {...props} />
        <main id="main" tabindex="-1">
          {children}
        </main>
        <Footer {...props} />
        {list !== undefined && <MomentOfList {...list} />}
      </body>
    </html>,
  )
}

function SiteHeader(props: Props): JSX.Element {
  const { site, viewer, current } = props
  return (
    <header class="site">
      <div class="bar">
        <a class="logo" href="/">
          <Chevrons />
          <span>Shipfeed</span>
        </a>
        {isOpen({ site, viewer }) && (
          <nav class="tabs" aria-label="Main">
            <Tab href="/" name="Feed" active={current === 'feed'} />
            {site.slots.tabs.map((tab) => (
              <Tab href={tab.address} name={tab.name} active={current === tab} isAdded />
            ))}
            <Tab href="/docs" name="Docs" active={current === 'docs'} />
          </nav>
        )}
        <div class="account">
          {viewer !== null && <SignedIn {...props} viewer={viewer} />}
          {viewer === null && site.hasPasswords && <SignedOut site={site} />}
        </div>
      </div>
    </header>
  )
}

/** Whether the pages that all others link to lead anywhere but to the sign-in page. */
function isOpen({ site, viewer }: PageProps): boolean {
  return !site.membersOnly || viewer !== null
}

export function Chevrons(): JSX.Element {
  return (
    <svg class="chevrons" viewBox="0 0 20 20" aria-hidden="true">
      <path d="m2 11 8-8 8 8M2 18l8-8 8 8" />
    </svg>
  )
}

type TabProps = { href: string; name: string; active: boolean; isAdded?: boolean }

function Tab({ href, name, active, isAdded = false }: TabProps): JSX.Element {
  return (
    <a class={isAdded ? 'tab added' : 'tab'} href={href} aria-current={active ? 'page' : undefined} safe>
      {name}
    </a>
  )
}

function SignedOut({ site }: Pick<PageProps, 'site'>): JSX.Element {
  return (
    <>
      <a class="sign-in" href="/sign-in">
        Sign in
      </a>
      {site.registrationOpen && (
        <a class="button primary" href="/sign-up">
          Create account
        </a>
      )}
    </>
  )
}

function SignedIn({ site, viewer, current }: Props & { viewer: User }): JSX.Element {
  return (
    <>
      <a href={`/${viewer.username}`} aria-label="Your profile">
        <Avatar username={viewer.username} />
      </a>
      <Tab href="/settings" name="Settings" active={current === 'settings'} />
      {site.hasPasswords && (
        <form method="post" action="/sign-out">
          <button class="plain" type="submit">
            Sign out
          </button>
        </form>
      )}
    </>
  )
}

const siteFeeds: PartOfFeed = { username: null, target: null }

/** The bottom of every page. It links to the feeds of the page, or to those of all users. */
function Footer({ site, viewer, feeds = siteFeeds, list }: Props): JSX.Element {
  return (
    <footer class="foot">
      <nav class="foot-links" aria-label="About">
        {isOpen({ site, viewer }) && (
          <>
            <a href="/docs">Docs</a>
            {site.slots.otherForms(feeds)}
            <a href="/status">Status</a>
          </>
        )}
        {list !== undefined && <Shortcuts search={site.search} />}
        {site.sourceUrl !== null && <a href={escaped(site.sourceUrl)}>Source</a>}
        {/* local-time.js replaces it with the reader's time zone. */}
        <p id="zone">Times are in UTC</p>
      </nav>
    </footer>
  )
}

/** When a list was read: by the clock of the database, and after which event of the feed. */
export type Moment = {
  readonly now: Date
  /** The id of the last event, from which a live list continues; null if the list is not live. */
  readonly seen?: number | null
}

/** The last element of a page, so that http/kept-pages.ts can send a kept page with the moment of each request. */
export function MomentOfList({ now, seen = null }: Moment): JSX.Element {
  return <template id="moment" data-now={timestampOf(now)} data-seen={seen ?? undefined}></template>
}

/** All of a page from that element on, as its layout draws it. */
export function endOfPage(moment: Moment): string {
  return `${MomentOfList(moment)}</body></html>`
}
