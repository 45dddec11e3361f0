import type { User } from '../../domain/account/user.ts'
import { categories } from '../../domain/category.ts'
import type { Deployment } from '../../domain/deployment.ts'
import { headlineOf } from '../../domain/message/headline.ts'
import { plainTitle } from '../../domain/message/headline-pieces.ts'
import { timestampOf } from '../../domain/time.ts'
import {
  deploymentAddress,
  feedAddress,
  type PartOfFeed,
  profileAddress,
  syndicationAddress,
} from '../page/address.ts'
import type { Site } from '../page/site.ts'
import { linked } from '../parts/linked-text.tsx'
import { escaped } from '../parts/markup.ts'

export type FeedFormat = 'atom' | 'json'

type Part = Omit<PartOfFeed, 'username'> & { readonly user: User | null; readonly before: number | null }

type Entries = {
  readonly deployments: readonly Deployment[]
  readonly older: number | null
  /** When the newest was announced; for an empty list, a constant instant. */
  readonly updated: Date
}

/** A part of the feed that a feed reader can subscribe to, newest first. All addresses are absolute. */
export type Channel = ReturnType<typeof channelOf>

/** The channel of a part of the feed, with its deployments before the id `before`. */
export function channelOf(
  site: Site,
  format: FeedFormat,
  { user, before, ...filter }: Part,
  { deployments, older, updated }: Entries,
) {
  const address = (before: number | null) =>
    site.baseUrl + syndicationAddress(format, { username: user?.username ?? null, ...filter, before })
  return {
    title: user === null ? 'Deployments · Shipfeed' : `${user.name} (@${user.username}) · Shipfeed`,
    /** The page that shows the same list. */
    page: site.baseUrl + (user === null ? feedAddress(filter) : profileAddress(user.username, filter)),
    self: address(before),
    /** Null if there is no older part. */
    older: older === null ? null : address(older),
    updated,
    deployments,
  }
}

/** A channel as an Atom feed (RFC 4287). */
export function atomOf(site: Site, { title, page, self, older, updated, deployments }: Channel): string {
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">
  <id>${xml(self)}</id>
  <title>${xml(title)}</title>
  <updated>${timestampOf(updated)}</updated>
  <link rel="self" type="application/atom+xml" href="${xml(self)}"/>
  <link rel="alternate" type="text/html" href="${xml(page)}"/>
${older === null ? '' : `  <link rel="next" type="application/atom+xml" href="${xml(older)}"/>\n`}${deployments.map((deployment) => atomEntry(site, deployment)).join('')}</feed>
`
}

function atomEntry(site: Site, deployment: Deployment): string {
  const { category, poster } = deployment
  const { page, profile, link, title, content, at } = entryOf(site, deployment)
  return `  <entry>
    <id>${xml(page)}</id>
    <title>${xml(title)}</title>
    <published>${at}</published>
    <updated>${at}</updated>
    <author><name>${xml(poster.name)}</name><uri>${xml(profile)}</uri></author>
    <link rel="alternate" type="text/html" href="${xml(page)}"/>
${link === null ? '' : `    <link rel="related" href="${xml(link)}"/>\n`}${category === null ? '' : `    <category term="${category}" label="${categories[category]}"/>\n`}    <content type="html">${xml(content)}</content>
  </entry>
`
}

/** A channel as a JSON Feed (https://jsonfeed.org/version/1.1). */
export function jsonFeedOf(site: Site, { title, page, self, older, deployments }: Channel): string {
  return JSON.stringify({
    version: 'https://jsonfeed.org/version/1.1',
    title,
    home_page_url: page,
    feed_url: self,
    ...(older === null ? {} : { next_url: older }),
    language: 'en',
    items: deployments.map((deployment) => jsonItem(site, deployment)),
  })
}

function jsonItem(site: Site, deployment: Deployment) {
  const { message, category, poster } = deployment
  const { page, profile, link, title, content, at } = entryOf(site, deployment)
  return {
    id: page,
    url: page,
    ...(link === null ? {} : { external_url: link }),
    title,
    content_text: message,
    content_html: content,
    date_published: at,
    authors: [{ name: poster.name, url: profile }],
    ...(category === null ? {} : { tags: [category] }),
  }
}

/** What both formats say of a deployment. Its title is that of its page. */
function entryOf({ baseUrl }: Site, deployment: Deployment) {
  const { message, deployedAt, poster } = deployment
  return {
    page: baseUrl + deploymentAddress(deployment),
    profile: baseUrl + profileAddress(poster.username, { target: null, category: null }),
    link: linkOf(deployment),
    title: plainTitle(headlineOf(message)),
    content: contentOf(deployment),
    at: timestampOf(deployedAt),
  }
}

/** The number of digits of a commit that is enough to look it up. */
const knownDigits = 12

/**
 * The content of an entry as HTML: the message with its lines and links, then the environment, the version and the
 * commit. The text of the first paragraph is exactly the message: each line end follows the tag that shows it, and
 * carriage returns are escaped because a parser would otherwise read them as line feeds.
 */
function contentOf({ message, environment, version, commit }: Deployment): string {
  const lines = String(linked(message))
    .replace(/\r\n|[\n\r\u2028\u2029]/g, '<br/>$&')
    .replaceAll('\r', '&#13;')
  const release = [environment, version, commit?.slice(0, knownDigits)].filter((part) => part !== undefined)
  return `<p>${lines}</p>${release.length === 0 ? '' : `<p>${escaped(release.join(' · '))}</p>`}`
}

/** The posted link as a URI (RFC 3986), which feeds require and browsers do not; null if there is none. */
function linkOf({ url }: Deployment): string | null {
  const parsed = url === null ? null : URL.parse(url)
  if (parsed === null) return null
  const rest = parsed.href.slice(parsed.origin.length)
  const [before = ''] = rest.split('#', 1)
  const after = rest.slice(before.length)
  return parsed.origin + percentEncoded(before) + after.slice(0, 1) + percentEncoded(after.slice(1))
}

/** Escapes the characters that are not allowed in the path, the query or the fragment of a URI. */
function percentEncoded(part: string): string {
  return part.replace(/%(?![\da-f]{2})|[^\w.~!$&'()*+,;=:@/?%-]/gi, encodeURIComponent)
}

/** The characters that XML 1.0 cannot contain, not even as references. */
const impossible = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu

/** A parser would read these as a line feed, or as a space in an attribute. */
const whiteSpace: Readonly<Record<string, string>> = { '\r': '&#13;', '\n': '&#10;', '\t': '&#9;' }

/** Escapes a text for XML 1.0, as content or attribute; characters that XML cannot contain become U+FFFD. */
function xml(text: string): string {
  const possible = escaped(text.replace(impossible, '\ufffd'))
  return possible.replace(/[\r\n\t]/g, (character) => whiteSpace[character] ?? character)
}
