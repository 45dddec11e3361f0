import { BlockList, isIP } from 'node:net'
import type { Server } from 'bun'
import { type Log, onceAMinute } from '../log/log.ts'

/**
 * The headers in which proxies name the client. Only the first is used: every proxy can send it, and each one adds an
 * entry at the right end. The others only show that there is a proxy.
 */
const headersOfProxies = ['X-Forwarded-For', 'Forwarded', 'X-Real-IP'] as const

/** Finds the client of a request, as limits count it: its IPv4 address, or the /64 of its IPv6 address. */
export type ClientAddress = (request: Request, server: Server<unknown> | null) => string

/**
 * Makes the function that finds the client of a request. Trusted proxies are given as addresses or CIDR ranges. The
 * function uses X-Forwarded-For only if a trusted proxy sent it. It reads the header from the right, up to the first
 * address that is not trusted. That one is the client: everything to the left of it may be forged.
 *
 * It logs once if no proxy is configured but a request seems to come through one. If a trusted proxy sends something
 * that is not an address, all clients behind that proxy count as one; it logs this at most once a minute.
 */
export function clientAddressReader(trustedProxies: readonly string[], log: Log = () => {}): ClientAddress {
  const trusted = addressList(trustedProxies)
  let hasWarned = trustedProxies.length > 0
  const logUnreadable = onceAMinute(log)

  /**
   * Behind an untrusted proxy, all clients count as one address. Without this warning, no one would notice until the
   * clients hit a limit.
   */
  function warn({ headers }: Request, peer: string): void {
    const header = headersOfProxies.find((name) => headers.has(name))
    if (header === undefined) return
    hasWarned = true
    const message = `${peer} sends ${header}, but TRUSTED_PROXIES is empty, so all clients behind it count as one address. If it is your proxy, add it to TRUSTED_PROXIES and have it send X-Forwarded-For`
    log('proxy_not_trusted', { message })
  }

  function warnOfUnreadable(peer: string): void {
    const message = `X-Forwarded-For from ${peer} does not contain the client's address, so all these requests count as one client. Have the proxy send the client's address`
    logUnreadable('client_unreadable', { message })
  }

  return (request, server) => {
    const peer = unmapped(server?.requestIP(request)?.address ?? '')
    const forwarded = (request.headers.get('x-forwarded-for') ?? '').split(',').map(addressOf)
    if (!hasWarned) warn(request, peer)
    const hops = [...forwarded.filter((hop) => hop !== ''), peer]
    const client =
      hops.findLast((hop) => isIP(hop) === 0 || !trusted.check(hop, familyOf(hop))) ?? hops[0] ?? peer
    if (isIP(client) !== 0) return subjectOf(client)
    if (client !== peer) warnOfUnreadable(peer)
    return isIP(peer) === 0 ? peer : subjectOf(peer)
  }
}

/** Makes the function that says whether a request comes from a trusted proxy. */
export function trustedPeer(
  trustedProxies: readonly string[],
  server: () => Server<unknown> | null,
): (request: Request) => boolean {
  const trusted = addressList(trustedProxies)
  return (request) => {
    const peer = unmapped(server()?.requestIP(request)?.address ?? '')
    return isIP(peer) !== 0 && trusted.check(peer, familyOf(peer))
  }
}

function addressList(addressesAndRanges: readonly string[]): BlockList {
  const list = new BlockList()
  for (const entry of addressesAndRanges) {
    const [address = '', bits] = entry.split('/')
    const family = familyOf(address)
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(bits), family)
  }
  return list
}

/** The form in which the limits count an address. An IPv6 client has at least a /64, so a /64 counts as one address. */
function subjectOf(client: string): string {
  if (isIP(client) === 4) return client
  const [head = '', tail] = client.split('%')[0]?.split('::') ?? []
  const groups = head.split(':').filter((group) => group !== '')
  const missing =
    tail === undefined ? 0 : 8 - groups.length - tail.split(':').filter((group) => group !== '').length
  const full = [...groups, ...Array<string>(Math.max(0, missing)).fill('0'), ...(tail ?? '').split(':')]
  return `${full
    .slice(0, 4)
    .map((group) => Number.parseInt(group || '0', 16).toString(16))
    .join(':')}::/64`
}

/** The address in an entry of X-Forwarded-For. Some proxies add the port: `203.0.113.7:51234`, `[2001:db8::1]:443`. */
function addressOf(hop: string): string {
  const [, bracketed, v4] = /^(?:\[([^\]]*)\](?::\d+)?|([\d.]+):\d+)$/.exec(hop.trim()) ?? []
  return unmapped(bracketed ?? v4 ?? hop.trim())
}

/** Turns the address of an IPv4 client on a dual-stack socket, such as ::ffff:1.2.3.4, into 1.2.3.4. */
function unmapped(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '')
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4'
}
