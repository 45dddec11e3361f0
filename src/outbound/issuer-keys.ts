import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose'
import { type Issuer, isAllowed } from '../domain/publisher/issuer.ts'

/** An issuer gave no valid keys in time. Trying again later may help. */
export class IssuerUnreachable extends Error {}

/** The time for both documents together, so that a pipeline gets its answer within 2.5 s. */
const fetchMs = 1_500
/** Older keys are fetched again, so that a withdrawn key is not trusted for long. */
const freshMs = 10 * 60_000
/**
 * The pause after a failed fetch, and between two fetches for an unknown key, which any caller can name.
 * Whatever callers send, an issuer gets at most four requests in this time: two for old keys, two for an unknown one.
 */
const cooldownMs = 30_000
/** The Retry-After of callers while an issuer gives no keys. */
export const retryAfterSeconds = cooldownMs / 1_000

type Options = {
  /** Outside production, an issuer may be on loopback without TLS. */
  readonly production: boolean
  /** Called with the reason when the keys of an issuer cannot be fetched. */
  readonly onUnreachable: (error: IssuerUnreachable) => void
  /** The present instant in ms, from any origin. */
  readonly now?: () => number
}

/**
 * Makes the function with which jose finds the key of a token. Keys are cached in memory and stay in use
 * while the issuer cannot be reached. Rejects with IssuerUnreachable if there are none, or if the token names
 * an unknown key that cannot be fetched.
 */
export function issuerKeys({ address }: Issuer, options: Options): JWTVerifyGetKey {
  const { production, onUnreachable, now = () => performance.now() } = options
  let keys: ReturnType<typeof createLocalJWKSet> | null = null
  let staleAt = Number.NEGATIVE_INFINITY
  let searchedAt = Number.NEGATIVE_INFINITY
  let fetching: Promise<void> | null = null
  /** The failure of the last fetch; null if it succeeded. */
  let failure: IssuerUnreachable | null = null

  return async (header, token) => {
    if (now() >= staleAt) await refresh()
    for (;;) {
      const tried = keys
      if (tried === null) throw failure ?? new IssuerUnreachable(`${address} gave no keys`)
      try {
        return await tried(header, token)
      } catch (error) {
        if (!(error instanceof errors.JWKSNoMatchingKey)) throw error
        // Another call may have fetched new keys in the meantime.
        if (tried === keys) await search()
        if (tried === keys) throw failure ?? error
      }
    }
  }

  /** Fetches the keys again to find an unknown one, unless that was done within the cooldown. */
  async function search(): Promise<void> {
    if (fetching === null && now() < searchedAt + cooldownMs) return
    if (fetching === null) searchedAt = now()
    await refresh()
  }

  /** Concurrent calls share one fetch. */
  async function refresh(): Promise<void> {
    fetching ??= fetchKeys().finally(() => {
      fetching = null
    })
    await fetching
  }

  async function fetchKeys(): Promise<void> {
    try {
      keys = createLocalJWKSet(await fetchKeySet(address, production))
      staleAt = now() + freshMs
      failure = null
    } catch (error) {
      staleAt = now() + cooldownMs
      failure = new IssuerUnreachable(`${address} gives no keys`, { cause: error })
      onUnreachable(failure)
    }
  }
}

/** Reads the discovery document (OpenID Connect Discovery 1.0, section 4), which must name the same issuer. */
async function fetchKeySet(address: string, production: boolean): Promise<JSONWebKeySet> {
  const signal = AbortSignal.timeout(fetchMs)
  const at = `${address.replace(/\/$/, '')}/.well-known/openid-configuration`
  const { issuer, jwks_uri } = Object(await fetchDocument(at, signal)) as Readonly<Record<string, unknown>>
  if (issuer !== address) throw new Error(`${at} names another issuer`)
  const keys = URL.parse(String(jwks_uri))
  if (keys === null || !isAllowed(keys, production)) throw new Error(`${at} has no https jwks_uri`)
  return (await fetchDocument(keys.href, signal)) as JSONWebKeySet
}

const maxBytes = 256 * 1024

/**
 * Fetches a JSON document from another server. Follows no redirect and reads at most 256 KiB. Rejects if
 * anything is wrong, and when the signal aborts.
 */
async function fetchDocument(address: string, signal: AbortSignal): Promise<unknown> {
  const headers = { Accept: 'application/json' }
  const response = await fetch(address, { redirect: 'error', headers, signal })
  if (response.status !== 200) throw new Error(`${address} answers ${response.status}`)
  return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(await readLimited(response)))
}

/** Counts the bytes as they arrive and after decompression, because the declared length may be wrong. */
async function readLimited({ body, url }: Response): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body ?? []) {
    size += chunk.length
    if (size > maxBytes) throw new Error(`${url} answers more than ${maxBytes} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
