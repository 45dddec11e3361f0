import { type Field, fieldOf, invalid, parseTyped, urlOf } from '../../domain/field-parsing.ts'
import { textBounds } from '../../domain/text-bounds.ts'
import type { Claimed, WebhookFormat } from './rules.ts'

/** Where webhooks may lead. `any` is for operators whose users may reach the network of the service. */
export const webhookReaches = ['off', 'public', 'any'] as const
export type WebhookReach = (typeof webhookReaches)[number]

/** The ports that `public` allows, because others may serve what is not meant for strangers. */
const publicPorts: readonly string[] = ['', '443', '8443']

/** Reads a typed address as it will be requested. A name is checked only when it is resolved. */
export function parseWebhookUrl(typed: string, reach: WebhookReach): Field<string> {
  return parseTyped(typed, 'link', (written) => addressOf(written, reach))
}

function addressOf(written: string, reach: WebhookReach): Field<string> {
  if (written === '') return invalid("can't be blank")
  const url = urlOf(written)
  if (url === null || !/^https?:$/.test(url.protocol) || /[\s\p{Cc}]/u.test(written)) {
    return invalid('is not an address: send one that begins with https://')
  }
  // Escapes may have made it longer.
  if (url.href.length > 2 * textBounds.link) return invalid('is too long')
  url.hash = ''
  return fieldOf(url.href, problemsOf(url, reach))
}

function problemsOf(url: URL, reach: WebhookReach): string[] {
  const problems: string[] = []
  if (url.username !== '' || url.password !== '') problems.push("can't contain a user or a password")
  if (reach === 'any') return problems
  if (url.protocol !== 'https:') problems.push('must begin with https://')
  else if (!publicPorts.includes(url.port)) problems.push('must use port 443 or 8443')
  const literal = literalIn(url.hostname)
  const isInner = /(^|\.)localhost\.?$/.test(url.hostname) || (literal !== null && !isPublicAddress(literal))
  if (isInner) problems.push('leads into a private network: only public addresses are allowed here')
  return problems
}

/** Whether an address that was stored may be requested. Its escapes may have made it longer than a typed one may be. */
export function isRequestable(url: string): boolean {
  return url.length <= 2 * textBounds.link && addressOf(url, 'any').outcome === 'valid'
}

/** The address in the host of a URL, null for a name. URL has already read decimal, octal and hex spellings. */
export function literalIn(hostname: string): string | null {
  if (hostname.startsWith('[')) return hostname.slice(1, -1)
  return bytesOfV4(hostname) === null ? null : hostname
}

/** Blocks that are not public (the registries of IANA, and Azure's service for its machines). */
const specialV4 = `
  0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 168.63.129.16/32 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24
  192.0.2.0/24 192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4
`

type Block = { readonly bytes: readonly number[]; readonly bits: number }

const blocksOfV4 = blocksIn(specialV4, bytesOfV4)
/** The public block, and the special blocks in it. All else is private, link-local, multicast, mapped or NAT64. */
const publicOfV6 = blocksIn('2000::/3', bytesOfV6)
const blocksOfV6 = blocksIn('2001::/23 2001:db8::/32 2002::/16 3fff::/20', bytesOfV6)

/** Whether an IP address, as a resolver writes it, is one of the public internet. False for any other text. */
export function isPublicAddress(address: string): boolean {
  const v4 = bytesOfV4(address)
  if (v4 !== null) return !blocksOfV4.some((block) => isWithin(block, v4))
  const v6 = bytesOfV6(address)
  const isInOne = (blocks: readonly Block[]) => v6 !== null && blocks.some((block) => isWithin(block, v6))
  return isInOne(publicOfV6) && !isInOne(blocksOfV6)
}

function blocksIn(list: string, read: (text: string) => readonly number[] | null): readonly Block[] {
  return list
    .trim()
    .split(/\s+/)
    .map((block) => {
      const [address = '', bits = ''] = block.split('/')
      return { bytes: read(address) ?? [], bits: Number(bits) }
    })
}

function isWithin({ bytes, bits }: Block, address: readonly number[]): boolean {
  return bytes.every((byte, n) => {
    const mask = (0xff00 >> Math.min(8, Math.max(0, bits - 8 * n))) & 0xff
    return (byte & mask) === ((address[n] ?? 0) & mask)
  })
}

/** The four bytes of a dotted IPv4 address; null for any other spelling. */
function bytesOfV4(text: string): readonly number[] | null {
  if (!/^(0|[1-9]\d{0,2})(\.(0|[1-9]\d{0,2})){3}$/.test(text)) return null
  const bytes = text.split('.').map(Number)
  return bytes.every((byte) => byte <= 255) ? bytes : null
}

/** The sixteen bytes of an IPv6 address without a zone; null for any other text. */
function bytesOfV6(text: string): readonly number[] | null {
  const dotted = /^(.*:)(\d+(?:\.\d+){3})$/.exec(text)
  const v4 = dotted === null ? null : bytesOfV4(dotted[2] ?? '')
  if (dotted !== null && v4 === null) return null
  const written =
    v4 === null || dotted === null ? text : `${dotted[1]}${hex(v4[0], v4[1])}:${hex(v4[2], v4[3])}`
  const halves = written.split('::')
  if (halves.length > 2) return null
  const [left = [], right = []] = halves.map((half) => (half === '' ? [] : half.split(':')))
  const missing = 8 - left.length - right.length
  if (halves.length === 2 ? missing < 1 : missing !== 0) return null
  const groups = [...left, ...Array<string>(missing).fill('0'), ...right]
  if (!groups.every((group) => /^[\da-f]{1,4}$/i.test(group))) return null
  return groups.flatMap((group) => {
    const value = Number.parseInt(group, 16)
    return [value >> 8, value & 0xff]
  })
}

function hex(high = 0, low = 0): string {
  return ((high << 8) | low).toString(16)
}

/** Formats whose addresses are secrets, because anyone who knows one can post. */
const secretAddresses: readonly WebhookFormat[] = ['slack', 'discord', 'teams', 'ntfy', 'apprise']

/** The address of a webhook as pages show it: of a secret one, only the origin and the last four characters. */
export function shownAddress({ url, format }: Pick<Claimed, 'url' | 'format'>): string {
  const { origin, search } = new URL(url)
  const isSecret = secretAddresses.includes(format) || search !== ''
  return isSecret ? `${origin}/…${url.slice(-4)}` : url
}
