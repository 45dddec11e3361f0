import type { User } from '../../domain/account/user.ts'
import type { Category } from '../../domain/category.ts'
import type { Deployment } from '../../domain/deployment.ts'
import { isBlank, linesOf } from '../../domain/text.ts'
import { feedAddress, profileAddress, syndicationAddress } from '../page/address.ts'
import type { Site } from '../page/site.ts'

/** A part of the feed as readers subscribe to it, the newest first. Addresses are whole. */
export type Channel = {
  readonly title: string
  /** Of the page that shows the same. */
  readonly page: string
  readonly self: string
  /** Of the older part; null if there is none. */
  readonly older: string | null
  readonly deployments: readonly Deployment[]
}

export type Format = 'atom' | 'json'

type Part = {
  readonly user: User | null
  readonly category: Category | null
  readonly target: string | null
  readonly environment: string | null
  /** What is searched for. */
  readonly q?: string | undefined
  readonly before: number | null
}

/** The channel of a part of the feed, of which these deployments are what comes before `before`. */
export function channelOf(
  site: Site,
  format: Format,
  { user, before, ...filter }: Part,
  { deployments, older }: { deployments: readonly Deployment[]; older: number | null },
): Channel {
  const address = (before: number | null) =>
    site.baseUrl + syndicationAddress(format, { username: user?.username ?? null, ...filter, before })
  return {
    title: user === null ? 'Deployments · Shipfeed' : `${user.name} (@${user.username}) · Shipfeed`,
    page: site.baseUrl + (user === null ? feedAddress(filter) : profileAddress(user.username, filter)),
    self: address(before),
    older: older === null ? null : address(older),
    deployments,
  }
}

/** The first line of a message that shows anything. */
export function titleOf(message: string): string {
  return (linesOf(message).find((line) => !isBlank(line)) ?? '').trim()
}
