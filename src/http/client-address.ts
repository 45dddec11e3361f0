import { BlockList, isIP } from 'node:net'
import type { Server } from 'bun'
import { type Log, onceAMinute } from '../log/log.ts'

/** Headers that proxies add. Only X-Forwarded-For is read: every proxy can send it, and appends to its right end. */
const headersOfProxies = ['X-Forwarded-For', 'Forwarded', 'X-Real-IP'] as const

/** Gives the client of a request, as its IPv4 address or the /64 of its IPv6 address. */
export type ClientAddress = (request: Request, server: Server<unknown> | null) => string

/**
 * Makes the function that finds clients. Trusted proxies are given as addresses or CIDR ranges. X-Forwarded-For counts
 * only from a trusted proxy, and is read from the right up to the first address that is not trusted, which is the
 * client: everything to the left of it may be forged.
 */
export function clientAddressReader(trustedProxies: readonly string[], log: Log = () => {}): ClientAddress {
  const isTrusted = listOf(trustedProxies)
  const logUnreadable = onceAMinute(log)
  let hasWarned = trustedProxies.length > 0

  return (request, server) => {
    const peer = peerOf(request, server)
    if (!hasWarned) warn(request, peer)
    const forwarded = (request.headers.get('x-forwarded-for') ?? '').split(',').map(addressOf)
    const hops = [...forwarded.filter((hop) => hop !== ''), peer]
    const client = hops.findLast((hop) => !isTrusted(hop)) ?? hops[0] ?? peer
    if (isIP(client) !== 0) return subjectOf(client)
    if (client !== peer) {
      const message = `X-Forwarded-For from ${peer} does not contain the client's address, so all such requests count as one client. Have the proxy send the client's address`
      logUnreadable('client_unreadable', { message })
    }
    return isIP(peer) === 0 ? peer : subjectOf(peer)
  }

  /** Without this warning, an empty TRUSTED_PROXIES would show only when all clients behind a proxy hit one limit. */
  function warn({ headers }: Request, peer: string): void {
    const header = headersOfProxies.find((name) => headers.has(name))
    if (header === undefined) return
    hasWarned = true
    const message = `${peer} sends ${header}, but TRUSTED_PROXIES is empty, so all clients behind it count as one address. If it is your proxy, add it to TRUSTED_PROXIES and have it send X-Forwarded-For`
    log('proxy_not_trusted', { message })
  }
}

/** Makes the function that says whether a request comes from a trusted proxy. */
export function trustedPeer(
  trustedProxies: readonly string[],
  server: () => Server<unknown> | null,
): (request: Request) => boolean {
  const isTrusted = listOf(trustedProxies)
  return (request) => isTrusted(peerOf(request, server()))
}

function peerOf(request: Request, server: Server<unknown> | null): string {
  return unmapped(server?.requestIP(request)?.address ?? '')
}

function listOf(addressesAndRanges: readonly string[]): (text: string) => boolean {
  const list = new BlockList()
  for (const entry of addressesAndRanges) {
    const [address = '', bits] = entry.split('/')
    const family = familyOf(address)
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(bits), family)
  }
  return (text) => isIP(text) !== 0 && list.check(text, familyOf(text))
}

/** An IPv6 client has at least a /64, so a /64 counts as one address. */
function subjectOf(client: string): string {
  if (isIP(client) === 4) return client
  const groupsOf = (part = '') => part.split(':').filter((group) => group !== '')
  const [before, after] = client.replace(/%.*/, '').split('::')
  const [head, tail] = [groupsOf(before), groupsOf(after)]
  const zeros = Array<string>(8)
    .fill('0')
    .slice(head.length + tail.length)
  const network = [...head, ...zeros, ...tail].slice(0, 4)
  return `${network.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`
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
