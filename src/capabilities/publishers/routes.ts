import { Elysia } from 'elysia'
import { admit } from '../../data/account/throttle.ts'
import { usernameOf } from '../../domain/account/user.ts'
import { refusedTokenLimit } from '../../domain/attempt-limits.ts'
import { allValid, invalid, valid } from '../../domain/field-parsing.ts'
import { timestampOf } from '../../domain/time.ts'
import { bearerToken, unauthorized } from '../../http/bearer-token.ts'
import { type Fields, readFields } from '../../http/body.ts'
import { invalidFields, Problem } from '../../http/problem.ts'
import { empty, json } from '../../http/responses.ts'
import { refusalsToOwner } from '../../web/api/refused-calls.ts'
import type { Dependencies } from '../../web/route-dependencies.ts'
import { identityOf, vouchedBy } from './claims.ts'
import type { IdentityTokens } from './identity-token.ts'
import { IssuerUnreachable, retryAfterSeconds } from './issuer-keys.ts'
import { choosePublisher } from './match.ts'
import { endPublisherToken, exchange, findPublishers } from './store.ts'

type Options = Dependencies & { readonly identityTokens: IdentityTokens }

/** POST /api/oidc: exchanges the identity token of a pipeline for a token. */
export function exchangeToken({ db, identityTokens, clientAddress, log, logSecurity }: Options) {
  const { issuerNamedBy, verify } = identityTokens
  const showToOwner = refusalsToOwner(db, log)

  return new Elysia({ name: 'exchange-token' }).post(
    '/api/oidc',
    async ({ request, server }) => {
      const { jwt, user } = readCall(await readFields(request))
      try {
        const { token, expiresAt } = await exchanged(jwt, user)
        logSecurity('token_exchanged', { request, server }, user)
        return json(201, { token, expires_at: timestampOf(expiresAt) })
      } catch (error) {
        throw await throttled(error, clientAddress(request, server))
      }
    },
    { parse: 'none' },
  )

  async function exchanged(jwt: string, username: string): Promise<{ token: string; expiresAt: Date }> {
    const issuer = issuerNamedBy(jwt)
    if (issuer === null) throw unauthorized()
    const { publishers, now } = await findPublishers(db, { username, issuer: issuer.address })
    const verified = await verify(jwt, issuer, now)
    if (verified.outcome === 'unproved') throw unauthorized()
    if (verified.outcome === 'refused') throw new Problem('forbidden', verified.reason)
    const read = identityOf(issuer, verified.claims)
    if (read.outcome === 'refused') throw new Problem('forbidden', read.reason)
    const { identity } = read
    const choice = choosePublisher(issuer, publishers, identity)
    if (choice.outcome === 'refused') {
      const problem = new Problem('forbidden', choice.reason)
      const { nearest } = choice
      if (nearest !== null) showToOwner({ publisherId: nearest.id }, problem, nearest.repository)
      throw problem
    }
    const { jti, forgetAt } = verified
    const vouched = vouchedBy(issuer, identity)
    const publisherId = choice.publisher.id
    const result = await exchange(db, { publisherId, identity, vouched, jti, forgetAt })
    if (result.outcome === 'exchanged') return result
    if (result.outcome === 'used') throw invalidFields(isUsed)
    throw new Problem('forbidden', 'This publisher was just changed. Look at the settings.')
  }

  /** The error of a failed call. Only failures are counted, because the runners of a forge share addresses. */
  async function throttled(error: unknown, subject: string): Promise<unknown> {
    if (error instanceof IssuerUnreachable) return unreachable
    if (!(error instanceof Problem)) return error
    const attempts = [{ kind: 'oidc', subject, limit: refusedTokenLimit }]
    const wait = await admit(db, attempts)
    if (wait === null) return error
    return new Problem('rate_limited', 'Too many tokens from your address were refused. Try again later.', {
      'Retry-After': String(wait),
    })
  }
}

const isUsed = { jwt: ['was used before: each identity token works once'] }

const cannotFetch = 'The keys of the issuer of this token cannot be fetched. Try again.'
const unreachable = new Problem('unavailable', cannotFetch, { 'Retry-After': String(retryAfterSeconds) })

/** The fields of a call. Throws a `validation_error`. */
function readCall({ jwt, user }: Fields): { readonly jwt: string; readonly user: string } {
  const username = typeof user === 'string' ? usernameOf(user.trim()) : null
  const read = allValid({
    jwt:
      typeof jwt === 'string' && jwt !== '' ? valid(jwt) : invalid('must be the identity token of the job'),
    user: username === null ? invalid('must be the username to announce for') : valid(username),
  })
  if (read.outcome === 'invalid') throw invalidFields(read.reasons)
  return read.values
}

/** DELETE /api/oidc: ends the token of a pipeline early. */
export function revokeToken({ db }: Dependencies) {
  return new Elysia({ name: 'revoke-token' }).use(bearerToken()).delete(
    '/api/oidc',
    async ({ tokenHash }) => {
      if (!(await endPublisherToken(db, tokenHash))) throw unauthorized()
      return empty(204)
    },
    { parse: 'none' },
  )
}
