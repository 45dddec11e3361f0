import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose'
import { type Issuer, isAllowed } from '../../domain/issuer.ts'

/** An issuer gave no valid keys in time. Trying again later may help. */
export class IssuerUnreachable extends Error {}

/** For both documents, so that a pipeline gets its answer within 2.5 s. */
const fetchMs = 1_500
/** Older keys are fetched again, because one may be withdrawn. */
const freshMs = 10 * 60_000
/**
 * After a failed fetch, and between two for an unknown key, which any caller can name. An issuer gets at most
 * four requests in this time: two for old keys, two for an unknown one.
 */
const cooldownMs = 30_000
export const retryAfterSeconds = cooldownMs / 1_000

type Options = {
  readonly production: boolean
  /** Called when keys cannot be fetched. */
  readonly onUnreachable: (error: IssuerUnreachable) => void
  /** In ms, from any origin. */
  readonly now?: () => number
}

/**
 * Makes the function that gives jose the key of a token. Keys stay in use while the issuer cannot be reached.
 * Rejects with IssuerUnreachable without keys, or for an unknown key that cannot be fetched.
 */
export function issuerKeys({ address }: Issuer, options: Options): JWTVerifyGetKey {
  const { production, onUnreachable, now = () => performance.now() } = options
  let keys: ReturnType<typeof createLocalJWKSet> | null = null
  let staleAt = Number.NEGATIVE_INFINITY
  let searchedAt = Number.NEGATIVE_INFINITY
  let fetching: Promise<void> | null = null
  /** Null if the last fetch succeeded. */
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

  async function search(): Promise<void> {
    if (fetching === null && now() < searchedAt + cooldownMs) return
    if (fetching === null) searchedAt = now()
    await refresh()
  }

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

/** OpenID Connect Discovery 1.0, section 4: the document must name the same issuer. */
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

/** Follows no redirect and reads at most `maxBytes`. */
async function fetchDocument(address: string, signal: AbortSignal): Promise<unknown> {
  const headers = { Accept: 'application/json' }
  const response = await fetch(address, { redirect: 'error', headers, signal })
  if (response.status !== 200) throw new Error(`${address} answers ${response.status}`)
  return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(await readLimited(response)))
}

/** The declared length may be wrong, and ignores compression. */
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
