import { type Field, fieldOf, invalid, parseTyped, urlOf } from '../../domain/field-parsing.ts'
import { textBounds } from '../../domain/text-bounds.ts'
import { wordList } from '../../domain/word-list.ts'
import type { WebhookFormat } from './rules.ts'

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
  return isV4(hostname) ? hostname : null
}

/** All else of IPv6 is private, link-local, multicast, mapped or NAT64. */
const ordinaryBlocks = prefixesOf('0.0.0.0/0 2000::/3')
/** Blocks in these that are not public (the registries of IANA, and Azure's service for its machines). */
const specialBlocks = prefixesOf(`
  0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 168.63.129.16/32 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24
  192.0.2.0/24 192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4
  2001::/23 2001:db8::/32 2002::/16 3fff::/20`)

/** Whether an IP address, as a resolver writes it, is one of the public internet. False for any other text. */
export function isPublicAddress(address: string): boolean {
  const bits = bitsOf(address)
  const isInOne = (prefixes: readonly string[]) => prefixes.some((prefix) => bits.startsWith(prefix))
  return isInOne(ordinaryBlocks) && !isInOne(specialBlocks)
}

function prefixesOf(blocks: string): readonly string[] {
  return Array.from(wordList(blocks), (block) => {
    const [first = '', length] = block.split('/')
    return bitsOf(first).slice(0, 1 + Number(length))
  })
}

/** The version of an IP address and its bits, such as "4" and 32 more digits; '' for any other text. */
function bitsOf(address: string): string {
  if (isV4(address)) return `4${digitsOf(address.split('.'), 10, 8)}`
  // URL writes each address in one way, but Bun takes a colon at the end. A zone is none of these signs.
  const canBe = /^[\da-f:.]*(?:[\da-f]|::)$/i.test(address)
  const host = canBe ? URL.parse(`http://[${address}]`)?.hostname : undefined
  if (host === undefined) return ''
  const halves = host.slice(1, -1).split('::')
  const [left = [], right = []] = halves.map((half) => half.split(':').filter(Boolean))
  const zeros = Array<string>(8 - left.length - right.length).fill('0')
  return `6${digitsOf([...left, ...zeros, ...right], 16, 16)}`
}

function digitsOf(groups: readonly string[], base: number, bits: number): string {
  return groups.map((group) => Number.parseInt(group, base).toString(2).padStart(bits, '0')).join('')
}

/** Whether a text is a dotted IPv4 address as URL writes it. */
function isV4(text: string): boolean {
  return /^[\d.]+$/.test(text) && URL.parse(`http://${text}`)?.hostname === text
}

/** Formats whose addresses are secrets, because anyone who knows one can post. */
const secretAddresses: readonly WebhookFormat[] = ['slack', 'discord', 'teams', 'ntfy', 'apprise']

/** The address of a webhook as pages show it: of a secret one, only the origin and the last four characters. */
export function shownAddress({ url, format }: { url: string; format: WebhookFormat }): string {
  const { origin, search } = new URL(url)
  const isSecret = secretAddresses.includes(format) || search !== ''
  return isSecret ? `${origin}/…${url.slice(-4)}` : url
}
