import { decodeJwt, decodeProtectedHeader, errors, type JWTVerifyGetKey, jwtVerify } from 'jose'
import { type Claims, claimReason } from '../domain/publisher/claims.ts'
import type { Issuer } from '../domain/publisher/issuer.ts'
import { errorFacts } from '../log/error-facts.ts'
import type { Log } from '../log/log.ts'
import { onceAMinute } from '../log/once-a-minute.ts'
import { IssuerUnreachable, issuerKeys } from './issuer-keys.ts'

/** How far the clock of an issuer may be from the database's. */
const toleranceSeconds = 60

/** A timestamp of Postgres holds no later one, whatever a token says. */
const latestSeconds = Date.UTC(9999, 11, 31) / 1_000

export type Verified =
  | { readonly outcome: 'verified'; readonly claims: Claims; readonly jti: string; readonly forgetAt: Date }
  /** Whoever sent it has proved nothing, and learns nothing. */
  | { readonly outcome: 'unproved' }
  /** The issuer has signed it, but it is not for us, or not for now. */
  | { readonly outcome: 'refused'; readonly reason: string }

type Options = {
  readonly oidcIssuers: readonly Issuer[]
  readonly oidcAudience: string
  readonly production: boolean
}

export type IdentityTokens = NonNullable<ReturnType<typeof identityTokensOf>>

/**
 * Makes the reader of identity tokens of these issuers, whose keys are fetched when the first one is to be
 * verified; null where there are no issuers, and then nothing is ever fetched.
 */
export function identityTokensOf(
  { oidcIssuers: issuers, oidcAudience: audience, production }: Options,
  log: Log,
) {
  if (issuers.length === 0) return null
  const outageToTell = onceAMinute()
  const onUnreachable = (error: IssuerUnreachable) => {
    const keptBack = outageToTell(performance.now())
    if (keptBack === null) return
    log('issuer_unreachable', {
      message: error.message,
      ...errorFacts(error),
      alikeSinceTheLast: keptBack || undefined,
    })
  }
  const keysOf = new Map<Issuer, JWTVerifyGetKey>(
    issuers.map((issuer) => [issuer, issuerKeys(issuer, { production, onUnreachable })]),
  )
  return { issuerNamedBy, verify }

  /** Which issuer a token says that it is of; null if that is none of ours, or no token. */
  function issuerNamedBy(jwt: string): Issuer | null {
    try {
      const { iss } = decodeJwt(jwt)
      return issuers.find(({ address }) => address === iss) ?? null
    } catch {
      return null
    }
  }

  /** Checks the signature of a token, then whether it is for us and for now. Throws IssuerUnreachable. */
  async function verify(jwt: string, issuer: Issuer, now: Date): Promise<Verified> {
    const keys = keysOf.get(issuer)
    try {
      // Without its name, any key that there is would do.
      if (keys === undefined || decodeProtectedHeader(jwt).kid === undefined) return { outcome: 'unproved' }
      const { payload } = await jwtVerify(jwt, keys, {
        issuer: issuer.address,
        audience,
        algorithms: ['RS256', 'ES256'],
        clockTolerance: toleranceSeconds,
        currentDate: now,
        requiredClaims: ['iat', 'exp', 'jti'],
        // No limit, but with one a token from the future is refused.
        maxTokenAge: Number.MAX_SAFE_INTEGER,
      })
      const { aud, jti, exp = 0 } = payload
      if (aud !== audience) return refused('aud', payload, now)
      if (typeof jti !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(jti)) return refused('jti', payload, now)
      const forgetAt = new Date((Math.min(exp, latestSeconds) + 2 * toleranceSeconds) * 1_000)
      return { outcome: 'verified', claims: payload, jti, forgetAt }
    } catch (error) {
      if (error instanceof errors.JWTClaimValidationFailed || error instanceof errors.JWTExpired) {
        return refused(error.claim, error.payload, now)
      }
      if (error instanceof IssuerUnreachable) throw error
      return { outcome: 'unproved' }
    }
  }

  function refused(claim: string, claims: Claims, now: Date): Verified {
    return { outcome: 'refused', reason: claimReason(claim, claims, { audience, now }) }
  }
}
