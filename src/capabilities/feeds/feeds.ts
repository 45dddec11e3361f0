import type { User } from '../../domain/account/user.ts'
import { categories } from '../../domain/category.ts'
import type { Deployment } from '../../domain/deployment.ts'
import { headlineOf } from '../../domain/message/headline.ts'
import { plainTitle } from '../../domain/message/headline-pieces.ts'
import { compareReplaced } from '../../domain/release/comparison.ts'
import { nameOfRelease, type ReleaseField, releaseFields } from '../../domain/release/release.ts'
import { timestampOf } from '../../domain/time.ts'
import type { FeedFormat } from '../../http/feeds.ts'
import {
  deploymentAddress,
  feedAddress,
  type PartOfFeed,
  profileAddress,
  syndicationAddress,
} from '../../views/page/address.ts'
import type { Site } from '../../views/page/site.ts'
import { type AtomEntry, atomFeed } from '../../views/parts/atom.ts'
import { linked } from '../../views/parts/linked-text.tsx'
import { escaped } from '../../views/parts/markup.ts'

type Part = Omit<PartOfFeed, 'username'> & { readonly user: User | null; readonly before: number | null }

type Entries = {
  readonly deployments: readonly Deployment[]
  readonly older: number | null
  /** When the newest was announced; for an empty list, a constant instant. */
  readonly updated: Date
}

/** A part of the feed that a feed reader can subscribe to, newest first. All addresses are absolute. */
type Channel = ReturnType<typeof channelOf>

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

export function atomOf(site: Site, channel: Channel): string {
  return atomFeed(
    channel,
    channel.deployments.map((deployment) => atomEntry(site, deployment)),
  )
}

/** Its title is that of its page. */
function atomEntry({ baseUrl }: Site, deployment: Deployment): AtomEntry {
  const { message, category, poster, deployedAt } = deployment
  return {
    page: baseUrl + deploymentAddress(deployment),
    title: plainTitle(headlineOf(message)),
    published: deployedAt,
    updated: deployedAt,
    author: { name: poster.name, uri: baseUrl + profileAddress(poster.username, { target: null }) },
    related: linkOf(deployment),
    category: category === null ? null : { term: category, label: categories[category] },
    content: contentOf(deployment),
  }
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
  const { message, category } = deployment
  const { page, title, published, author, related, content } = atomEntry(site, deployment)
  return {
    id: page,
    url: page,
    ...(related === null ? {} : { external_url: related }),
    title,
    content_text: message,
    content_html: content,
    date_published: timestampOf(published),
    authors: [{ name: author.name, url: author.uri }],
    ...(category === null ? {} : { tags: [category] }),
  }
}

/** The number of digits of a commit that is enough to look it up. */
const knownDigits = 12

/**
 * The content of an entry as HTML: the message with its lines and links, then the fields of the release. The text of the first paragraph is exactly the message: each line end follows the tag that shows it, and
 * carriage returns are escaped because a parser would otherwise read them as line feeds.
 */
function contentOf(deployment: Deployment): string {
  const lines = String(linked(deployment.message))
    .replace(/\r\n|[\n\r\u2028\u2029]/g, '<br/>$&')
    .replaceAll('\r', '&#13;')
  const release = releaseFields.map((name) => factOf(name, deployment)).filter((part) => part !== undefined)
  const facts = release.length === 0 ? '' : `<p>${linked(release.join(' · '))}</p>`
  return `<p>${lines}</p>${facts}${whatChanged(deployment)}`
}

function factOf(name: ReleaseField, deployment: Deployment): string | undefined {
  const value = deployment[name]
  if (name === 'commit') return value?.slice(0, knownDigits)
  return name === 'actor' && value !== undefined ? `by ${value}` : value
}

/** Where a deployment went back to, and the page of the forge that shows what changed. */
function whatChanged(deployment: Deployment): string {
  const isBack = deployment.replaced?.step === 'back'
  const compare = compareReplaced(deployment)
  const said = [
    ...(isBack ? [`Back to ${escaped(nameOfRelease(deployment) ?? '')}`] : []),
    ...(compare === null ? [] : [`<a href="${escaped(compare)}">Compare</a>`]),
  ]
  return said.length === 0 ? '' : `<p>${said.join(' · ')}</p>`
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
