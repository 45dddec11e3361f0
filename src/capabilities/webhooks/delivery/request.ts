import { lookup } from 'node:dns/promises'
import { isPublicAddress, literalIn, type WebhookReach } from '../address.ts'
import type { MessageRequest } from '../rules.ts'
import { retryAfterOf, type Try } from './retries.ts'

export type Resolve = (name: string) => Promise<readonly string[]>

type Options = {
  readonly reach: WebhookReach
  readonly signal: AbortSignal
  readonly resolve: Resolve
  /** Authorities to trust instead of those of the system. */
  readonly ca?: string | undefined
}

export const systemResolve: Resolve = async (name) =>
  (await lookup(name, { all: true })).map(({ address }) => address)

/** The owner of the webhook sees the message. */
class NotSent extends Error {}

/** How many addresses of a name are tried while connecting fails. */
const maxDialled = 3

/**
 * Sends a message (docs/decisions.md#webhooks) to a checked address of its name, which is resolved only once,
 * so a name that changes what it resolves to gains nothing. Reads only the status and Retry-After. Never
 * rejects.
 */
export async function request(
  message: MessageRequest & { readonly body: string },
  { reach, signal, resolve, ca }: Options,
): Promise<Try> {
  try {
    const url = new URL(message.url)
    const addresses = await unlessAborted(addressesOf(url, reach, resolve), signal)
    const response = await dialled(url, addresses.slice(0, maxDialled), {
      method: message.method,
      body: message.body,
      headers: { ...message.headers, Host: url.host },
      redirect: 'manual',
      proxy: false,
      decompress: false,
      // A kept connection could be used again for another name at the same address.
      keepalive: false,
      signal,
      ...(url.protocol === 'https:' ? { tls: tlsOf(url, ca) } : {}),
    })
    // Not awaited, because a body may never end.
    response.body?.cancel().catch(() => {})
    const retryAfterMs = retryAfterOf(response.headers.get('retry-after'), new Date())
    return { status: response.status, error: null, retryAfterMs }
  } catch (error) {
    return { status: null, error: reasonOf(error, signal), retryAfterMs: null }
  }
}

function tlsOf({ hostname }: URL, ca: string | undefined) {
  // An address cannot be the server name of TLS; the certificate is then checked against the address.
  const serverName = literalIn(hostname) === null ? { serverName: hostname.replace(/\.$/, '') } : {}
  return { ...serverName, ...(ca === undefined ? {} : { ca }) }
}

/** IPv4 first. Throws NotSent if one of them may not be dialled. */
async function addressesOf(
  { hostname, protocol }: URL,
  reach: WebhookReach,
  resolve: Resolve,
): Promise<readonly string[]> {
  // The operator may have changed WEBHOOKS since the address was added.
  if (reach !== 'any' && protocol !== 'https:') throw new NotSent('it is not https')
  const literal = literalIn(hostname)
  const found = literal === null ? await resolve(hostname).catch(() => []) : [literal]
  const isRefused = reach !== 'any' && !found.every(isPublicAddress)
  // One sentence for both, or anybody with an account could list the names of this network.
  if (found.length === 0 || isRefused) throw new NotSent('it leads to no address that may be called')
  return found.toSorted((one, other) => Number(one.includes(':')) - Number(other.includes(':')))
}

async function dialled(url: URL, addresses: readonly string[], init: BunFetchRequestInit): Promise<Response> {
  let failure: unknown
  for (const address of addresses) {
    try {
      // Setting `hostname` to an address keeps the port, the path and the query.
      const dialledUrl = new URL(url)
      dialledUrl.hostname = address.includes(':') ? `[${address}]` : address
      return await fetch(dialledUrl, init)
    } catch (error) {
      failure = error
      if (!unconnected.test(codeIn(error))) break
    }
  }
  throw failure
}

/** Of a connection that was not made, so that nothing was sent. */
const unconnected =
  /^(ECONNREFUSED|ConnectionRefused|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|FailedToOpenSocket)$/

function codeIn(error: unknown): string {
  return String(Object(error).code ?? '')
}

/** In a few words that tell nothing about the network of the server. */
function reasonOf(error: unknown, signal: AbortSignal): string {
  if (error instanceof NotSent) return error.message
  if (signal.aborted) return 'no answer in time'
  if (/CERT|SELF_SIGNED|SSL|TLS|ISSUER/.test(codeIn(error))) return 'its certificate is not valid'
  return 'the connection failed'
}

function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  if (signal.aborted) return Promise.reject(signal.reason)
  const { promise, reject } = Promise.withResolvers<never>()
  signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  return Promise.race([work, promise])
}
