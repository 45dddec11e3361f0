import { BlockList, isIP } from 'node:net'
import type { Server } from 'bun'

/** Gives the address that a request came from, as a throttle counts it. */
export type ClientAddress = (request: Request, server: Server<unknown> | null) => string

/**
 * Makes the reader of client addresses. Believes X-Forwarded-For only from trusted proxies (addresses or CIDR
 * ranges) and from the right: whatever stands left of the last untrusted address may be made up. If none is
 * configured, `log` gets a line when the header first comes.
 */
export function clientAddressReader(
  trustedProxies: readonly string[],
  log: (line: string) => void = () => {},
): ClientAddress {
  const trusted = new BlockList()
  for (const proxy of trustedProxies) {
    const [address = '', bits] = proxy.split('/')
    const family = familyOf(address)
    if (bits === undefined) trusted.addAddress(address, family)
    else trusted.addSubnet(address, Number(bits), family)
  }

  let hasWarned = trustedProxies.length > 0

  /** Behind an untrusted proxy all visitors count as one, which would first show when they are throttled. */
  function warn(peer: string): void {
    hasWarned = true
    const news = `X-Forwarded-For comes from ${peer}, which TRUSTED_PROXIES does not name: all behind it count as one`
    log(JSON.stringify({ at: new Date().toISOString(), news }))
  }

  return (request, server) => {
    const peer = server?.requestIP(request)?.address ?? ''
    const forwarded = (request.headers.get('x-forwarded-for') ?? '')
      .split(',')
      .map((hop) => unmapped(hop.trim()))
    if (!hasWarned && request.headers.has('x-forwarded-for')) warn(peer)
    const hops = [...forwarded.filter((hop) => hop !== ''), unmapped(peer)]
    const client =
      hops.findLast((hop) => isIP(hop) === 0 || !trusted.check(hop, familyOf(hop))) ?? hops[0] ?? peer
    return subjectOf(client, peer)
  }
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
