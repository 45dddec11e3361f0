import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose'
import { type Issuer, isAllowed } from '../domain/publisher/issuer.ts'
import { fetchDocument } from './fetch-document.ts'

/** An issuer gave no keys in time that can be believed. Trying again in a while helps. */
export class IssuerUnreachable extends Error {}

/** For both documents together: a pipeline has its answer within 2.5 s. */
const fetchMs = 1_500
/** Keys that are older are fetched anew, so that a withdrawn one is not believed for long. */
const freshMs = 10 * 60_000
/** Anybody can name a key that does not exist: so rarely does that cause a request. */
const cooldownMs = 30_000

type Options = {
  /** Outside of it, an issuer may be on loopback without TLS. */
  readonly production: boolean
  /** Hears why the keys of an issuer cannot be fetched. */
  readonly onUnreachable: (error: IssuerUnreachable) => void
  /** The present instant in ms, from any beginning. */
  readonly now?: () => number
}

/**
 * Makes the function that finds the key of a token, for jose. The keys of an issuer are in memory, and serve on
 * while it cannot be reached. It rejects with IssuerUnreachable while there are none, or a new one was named.
 */
export function issuerKeys({ address }: Issuer, options: Options): JWTVerifyGetKey {
  const { production, onUnreachable, now = () => performance.now() } = options
  let keys: ReturnType<typeof createLocalJWKSet> | null = null
  let staleAt = 0
  let fetching: Promise<void> | null = null
  let searchedAt = Number.NEGATIVE_INFINITY
  let searchFailure: unknown = null

  return async (header, token) => {
    if (keys === null) await refresh()
    else if (now() >= staleAt) await refresh().catch(() => {})
    for (;;) {
      const tried = keys
      if (tried === null) throw new IssuerUnreachable(`${address} gave no keys`)
      try {
        return await tried(header, token)
      } catch (error) {
        if (!(error instanceof errors.JWKSNoMatchingKey)) throw error
        // Unless others have fetched them while this one looked.
        if (tried === keys) await search(error)
      }
    }
  }

  /** Fetches the keys once more for one that is not among them. Throws `missing` if that was just done. */
  async function search(missing: Error): Promise<void> {
    if (fetching === null && now() < searchedAt + cooldownMs) throw searchFailure ?? missing
    if (fetching === null) searchedAt = now()
    searchFailure = null
    await refresh().catch((error) => {
      searchFailure = error
      throw error
    })
  }

  /** All who wait for keys wait for the same. */
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
    } catch (error) {
      staleAt = now() + cooldownMs
      const unreachable = new IssuerUnreachable(`${address} gives no keys`, { cause: error })
      onUnreachable(unreachable)
      throw unreachable
    }
  }
}

/** By its discovery document (OpenID Connect Discovery 1.0, section 4), which must be its own. */
async function fetchKeySet(address: string, production: boolean): Promise<JSONWebKeySet> {
  const signal = AbortSignal.timeout(fetchMs)
  const at = `${address.replace(/\/$/, '')}/.well-known/openid-configuration`
  const { issuer, jwks_uri } = Object(await fetchDocument(at, signal)) as Readonly<Record<string, unknown>>
  if (issuer !== address) throw new Error(`${at} is of another issuer`)
  const keys = URL.parse(String(jwks_uri))
  if (keys === null || !isAllowed(keys, production)) throw new Error(`${at} has no https address of keys`)
  return (await fetchDocument(keys.href, signal)) as JSONWebKeySet
}
