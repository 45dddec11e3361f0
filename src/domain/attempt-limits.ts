import { hour, minute } from './time.ts'

/** At most `max` attempts within any period of `hours` hours. */
export type Limit = { readonly max: number; readonly hours: number }

/** How many wrong passwords are checked (docs/decisions.md#accounts). */
export const passwordLimits = {
  address: { max: 20, hours: 1 },
  account_and_address: { max: 10, hours: 1 },
  account: { max: 100, hours: 24 },
  // Once `account` is used up, each network still has a few attempts, so that an attacker with a few addresses
  // does not lock the owner out. `account_in_all` ends the guesses of an attacker with very many addresses.
  account_and_network: { max: 3, hours: 24 },
  account_in_all: { max: 1_000, hours: 24 },
  device: { max: 10, hours: 1 },
  session: { max: 10, hours: 1 },
} as const satisfies Readonly<Record<string, Limit>>

/** How many refused identity tokens an address may send (docs/decisions.md#publishers). */
export const refusedTokenLimit: Limit = { max: 60, hours: 1 }

/** How many reports of deployments an address may send (docs/decisions.md#reports). */
export const reportLimit: Limit = { max: 5, hours: 1 }

/** How many messages of webhooks a user may send by hand, and how many may reach a host so. */
export const sentByHandLimits = {
  user: { max: 10, hours: 1 / 60 },
  host: { max: 30, hours: 1 / 60 },
} as const satisfies Readonly<Record<string, Limit>>

/** Concurrent statements may see each other's attempts up to this far in the future. */
const aheadMs = minute

/**
 * The seconds until one more attempt is admitted, or null if it is admitted now. Takes instants in milliseconds, the
 * oldest first. Those far in the future come from a clock that was set back since and do not count.
 */
export function secondsUntilFree(
  attempts: readonly number[],
  { max, hours }: Limit,
  now: number,
): number | null {
  const windowMs = hours * hour
  const recent = attempts.filter((attempt) => attempt > now - windowMs && attempt <= now + aheadMs)
  const [first] = recent.slice(-max)
  if (recent.length < max || first === undefined) return null
  return Math.ceil(Math.min(first + windowMs - now, windowMs) / 1000)
}

/** The network of an address for rate limits: the /24 of an IPv4 address, or the /48 of an IPv6 /64. */
export function networkOf(address: string): string {
  if (address.includes(':')) return `${address.split(':').slice(0, 3).join(':')}::/48`
  return `${address.split('.').slice(0, 3).join('.')}.0/24`
}
