import type { User } from '../../domain/account/user.ts'
import type { Category } from '../../domain/category.ts'
import type { Deployment } from '../../domain/deployment.ts'
import { isBlank, linesIn } from '../../domain/text-fields.ts'
import { feedAddress, profileAddress, syndicationAddress } from '../page/address.ts'
import type { Site } from '../page/site.ts'
import { escaped } from '../parts/escaping.ts'
import { linked } from '../parts/text.tsx'

/** The number of digits of a commit that is enough to look it up. */
const knownDigits = 12

/** A part of the feed that a feed reader can subscribe to, newest first. All addresses are absolute. */
export type Channel = {
  readonly title: string
  /** The address of the page that shows the same list. */
  readonly page: string
  readonly self: string
  /** The address of the older part; null if there is none. */
  readonly older: string | null
  /** When the newest was announced; for an empty list, a constant instant. */
  readonly updated: Date
  readonly deployments: readonly Deployment[]
}

export type FeedFormat = 'atom' | 'json'

type Part = {
  readonly user: User | null
  readonly category: Category | null
  readonly target: string | null
  readonly environment: string | null
  /** The words of the search. */
  readonly q?: string | undefined
  readonly before: number | null
}

/** The channel of a part of the feed, with its deployments before the id `before`. */
export function channelOf(
  site: Site,
  format: FeedFormat,
  { user, before, ...filter }: Part,
  { deployments, older, updated }: Pick<Channel, 'deployments' | 'updated'> & { older: number | null },
): Channel {
  const address = (before: number | null) =>
    site.baseUrl + syndicationAddress(format, { username: user?.username ?? null, ...filter, before })
  return {
    title: user === null ? 'Deployments · Shipfeed' : `${user.name} (@${user.username}) · Shipfeed`,
    page: site.baseUrl + (user === null ? feedAddress(filter) : profileAddress(user.username, filter)),
    self: address(before),
    older: older === null ? null : address(older),
    updated,
    deployments,
  }
}

/** The first visible line of a message. */
export function feedTitleOf(message: string): string {
  return (linesIn(message).find((line) => !isBlank(line)) ?? '').trim()
}

/**
 * The content of an entry as HTML: the message with its lines and links, then the environment, the version and the
 * commit. The text of the first paragraph is exactly the message: each line end follows the tag that shows it, and
 * carriage returns are escaped because a parser would otherwise read them as line feeds.
 */
export function contentOf({ message, environment, version, commit }: Deployment): string {
  const lines = linked(message)
    .toString()
    .replace(/\r\n|[\n\r\u2028\u2029]/g, '<br/>$&')
    .replaceAll('\r', '&#13;')
  const release = [environment, version, commit?.slice(0, knownDigits)].filter((part) => part !== undefined)
  return `<p>${lines}</p>${release.length === 0 ? '' : `<p>${escaped(release.join(' · '))}</p>`}`
}

/** The posted link as a URI (RFC 3986), which feeds require and browsers do not; null if there is none. */
export function linkOf({ url }: Deployment): string | null {
  const parsed = url === null ? null : URL.parse(url)
  if (parsed === null) return null
  const afterOrigin = parsed.href.slice(parsed.origin.length)
  return (
    parsed.origin +
    afterOrigin
      .split(/(?<=^[^#]*)#/)
      .map(percentEncoded)
      .join('#')
  )
}

/** Escapes the characters that are not allowed in the path, the query or the fragment of a URI. */
function percentEncoded(part: string): string {
  return part.replace(/%(?![\da-f]{2})|[^\w.~!$&'()*+,;=:@/?%-]/gi, encodeURIComponent)
}
