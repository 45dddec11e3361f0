import { decodeJwt, decodeProtectedHeader, errors, type JWTVerifyGetKey, jwtVerify } from 'jose'
import type { Issuer } from '../../domain/issuer.ts'
import { errorFacts, type Log, onceAMinute } from '../../log/log.ts'
import { type Claims, claimReason, clockToleranceSeconds } from './claims.ts'
import { IssuerUnreachable, issuerKeys } from './issuer-keys.ts'

/** A token may claim an expiry that no Postgres timestamp can hold. */
const latestSeconds = Date.UTC(9999, 11, 31) / 1_000

type Verified =
  | { readonly outcome: 'verified'; readonly claims: Claims; readonly jti: string; readonly forgetAt: Date }
  /** The signature is wrong, so the sender gets no reason. */
  | { readonly outcome: 'unproved' }
  /** A claim is not accepted, such as its audience or time. */
  | { readonly outcome: 'refused'; readonly reason: string }

type Options = {
  readonly issuers: readonly Issuer[]
  readonly audience: string
  readonly production: boolean
}

export type IdentityTokens = ReturnType<typeof identityTokensOf>

/** Makes the verifier of identity tokens, which fetches keys when it needs them. */
export function identityTokensOf({ issuers, audience, production }: Options, log: Log) {
  const logOutage = onceAMinute(log)
  const onUnreachable = (error: IssuerUnreachable) =>
    logOutage('issuer_unreachable', { message: error.message, ...errorFacts(error) })
  const keysOf = new Map<Issuer, JWTVerifyGetKey>(
    issuers.map((issuer) => [issuer, issuerKeys(issuer, { production, onUnreachable })]),
  )
  return { issuerNamedBy, verify }

  /** The issuer that a token names, not checked yet; null if we do not trust it or it is no token. */
  function issuerNamedBy(jwt: string): Issuer | null {
    try {
      const { iss } = decodeJwt(jwt)
      return issuers.find(({ address }) => address === iss) ?? null
    } catch {
      return null
    }
  }

  /** Checks the signature of a token, then its audience and times. Throws IssuerUnreachable. */
  async function verify(jwt: string, issuer: Issuer, now: Date): Promise<Verified> {
    const keys = keysOf.get(issuer)
    const isForge = issuer.kind === 'github' || issuer.kind === 'gitlab'
    try {
      // Without `kid`, jose would accept any key of the issuer. This is checked before keys are fetched.
      if (keys === undefined || typeof decodeProtectedHeader(jwt).kid !== 'string')
        return { outcome: 'unproved' }
      const { payload } = await jwtVerify(jwt, keys, {
        issuer: issuer.address,
        audience,
        algorithms: ['RS256', 'ES256'],
        clockTolerance: clockToleranceSeconds,
        currentDate: now,
        requiredClaims: ['iat', 'exp', ...(isForge ? ['jti'] : [])],
        // This limits nothing, but jose refuses tokens from the future only if it is set.
        maxTokenAge: Number.MAX_SAFE_INTEGER,
      })
      // Buildkite and CircleCI give no id, so the hash of the text that they signed serves as one.
      const { aud, exp = 0, jti = isForge ? undefined : signedTextOf(jwt) } = payload
      if (aud !== audience) return refused('aud', payload, now)
      if (typeof jti !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(jti)) return refused('jti', payload, now)
      const forgetAt = new Date((Math.min(exp, latestSeconds) + 2 * clockToleranceSeconds) * 1_000)
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
    return { outcome: 'refused', reason: claimReason(claim, claims, audience, now) }
  }
}

/** The hash of the text that was signed. A signature can be written in several ways. */
function signedTextOf(jwt: string): string {
  return `sha256-${new Bun.CryptoHasher('sha256').update(jwt.slice(0, jwt.lastIndexOf('.'))).digest('hex')}`
}
