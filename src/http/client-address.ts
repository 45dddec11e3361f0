import { BlockList, isIP } from 'node:net'
import type { Server } from 'bun'
import type { Log } from '../log/log.ts'

/** What proxies add. Only the first is ever believed: what all of them send, and can be read from the right. */
const headersOfProxies = ['X-Forwarded-For', 'Forwarded', 'X-Real-IP'] as const

/** Gives the address that a request came from, as a throttle counts it. */
export type ClientAddress = (request: Request, server: Server<unknown> | null) => string

/**
 * Makes the reader of client addresses. Believes X-Forwarded-For only from trusted proxies (addresses or CIDR
 * ranges) and from the right: whatever stands left of the last untrusted address may be made up. If none is
 * configured, `log` gets a line when a request first looks as if a proxy had passed it on.
 */
export function clientAddressReader(trustedProxies: readonly string[], log: Log = () => {}): ClientAddress {
  const trusted = addressList(trustedProxies)
  let hasWarned = trustedProxies.length > 0

  /** Behind an untrusted proxy all visitors count as one, which would first show when they are throttled. */
  function warn({ headers }: Request, peer: string): void {
    const header = headersOfProxies.find((name) => headers.has(name))
    if (header === undefined) return
    hasWarned = true
    const message = `${header} comes from ${peer}, and TRUSTED_PROXIES is empty: if that is a proxy of yours, name it there and have it send X-Forwarded-For, or all behind it count as one address`
    log('proxy_not_trusted', { message })
  }

  return (request, server) => {
    const peer = server?.requestIP(request)?.address ?? ''
    const forwarded = (request.headers.get('x-forwarded-for') ?? '')
      .split(',')
      .map((hop) => unmapped(hop.trim()))
    if (!hasWarned) warn(request, unmapped(peer))
    const hops = [...forwarded.filter((hop) => hop !== ''), unmapped(peer)]
    const client =
      hops.findLast((hop) => isIP(hop) === 0 || !trusted.check(hop, familyOf(hop))) ?? hops[0] ?? peer
    return subjectOf(client, peer)
  }
}

/** Makes the function that says whether a request comes from a trusted proxy, so that its headers count. */
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

/** An IPv6 client owns at least a /64, so a /64 counts as one address. */
function subjectOf(client: string, peer: string): string {
  if (isIP(client) === 4) return client
  if (isIP(client) === 0) return peer
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

/** An IPv4 client on a socket of both families shows as ::ffff:1.2.3.4. */
function unmapped(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '')
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4'
}
