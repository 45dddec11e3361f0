import { Elysia } from 'elysia'
import { countAttempts, readRetryAfter } from '../../data/account/attempts.ts'
import { exchange } from '../../data/account/exchange.ts'
import { findPublishers } from '../../data/account/publishers.ts'
import { refusalRecorder } from '../../data/refusals.ts'
import type { Db } from '../../database/db.ts'
import { usernameOf } from '../../domain/account/username.ts'
import { identityOf } from '../../domain/publisher/identity.ts'
import { choosePublisher } from '../../domain/publisher/publisher.ts'
import { timestampOf } from '../../domain/time.ts'
import { unauthorized } from '../../http/bearer-token.ts'
import { type Fields, readFields } from '../../http/body.ts'
import type { ClientAddress } from '../../http/client-address.ts'
import type { SecurityLog } from '../../http/log/security-log.ts'
import { Problem } from '../../http/problem.ts'
import { json } from '../../http/respond.ts'
import { errorFacts } from '../../log/error-facts.ts'
import type { Log } from '../../log/log.ts'
import type { IdentityTokens } from '../../outbound/identity-token.ts'
import { IssuerUnreachable } from '../../outbound/issuer-keys.ts'

type Options = {
  readonly db: Db
  readonly identityTokens: IdentityTokens | null
  readonly clientAddress: ClientAddress
  readonly log: Log
  readonly tell: SecurityLog
}

/** POST /api/oidc: gives a token to a pipeline that proves who it is. Without issuers there is no such address. */
export function exchangeToken({ db, identityTokens, clientAddress, log, tell }: Options) {
  const app = new Elysia({ name: 'exchange-token' })
  if (identityTokens === null) return app
  const { issuerNamedBy, verify } = identityTokens
  const keepRefusal = refusalRecorder(db)

  return app.post(
    '/api/oidc',
    async ({ request, server }) => {
      const call = readCall(await readFields(request))
      try {
        const { token, expiresAt } = await exchanged(call)
        tell('token_exchanged', { request, server }, call.username)
        return json(201, { token, expires_at: timestampOf(expiresAt) })
      } catch (error) {
        throw await throttled(error, clientAddress(request, server))
      }
    },
    { parse: 'none' },
  )

  async function exchanged({ jwt, username }: Call): Promise<{ token: string; expiresAt: Date }> {
    const issuer = issuerNamedBy(jwt)
    if (issuer === null) throw unauthorized()
    const { publishers, now } = await findPublishers(db, { username, issuer: issuer.address })
    const verified = await verify(jwt, issuer, now)
    if (verified.outcome === 'unproved') throw unauthorized()
    if (verified.outcome === 'refused') throw new Problem('forbidden', verified.reason)
    const read = identityOf(issuer, verified.claims)
    if ('reason' in read) throw new Problem('forbidden', read.reason)
    const { identity } = read
    const choice = choosePublisher(issuer, publishers, identity)
    if ('reason' in choice) {
      if (choice.nearest !== null) keepForOwner(choice.nearest, choice.reason)
      throw new Problem('forbidden', choice.reason)
    }
    const { id: publisherId } = choice.publisher
    const { jti, forgetAt } = verified
    const result = await exchange(db, { publisherId, identity, issuer: issuer.address, jti, forgetAt })
    if (result.outcome === 'exchanged') return result
    if (result.outcome === 'used') throw new Problem('validation_error', undefined, { details: isUsed })
    throw new Problem('forbidden', 'This publisher was changed at this moment. Look at the settings.')
  }

  /** Shows the refusal to the publisher's owner. The answer neither waits for this nor fails with it. */
  function keepForOwner(publisher: { id: number; repository: string }, reason: string): void {
    const refusal = { publisherId: publisher.id, status: 403, reason, source: publisher.repository }
    keepRefusal(refusal).catch((error) => log('refusal_lost', { status: 403, ...errorFacts(error) }))
  }

  /** What a call ends with. Only what failed is counted, since the runners of a forge share addresses. */
  async function throttled(error: unknown, subject: string): Promise<unknown> {
    if (error instanceof IssuerUnreachable) return unreachable
    if (!(error instanceof Problem)) return error
    const attempts = [{ kind: 'oidc', subject, limit: { most: 60, hours: 1 } }]
    const wait = (await readRetryAfter(db, attempts)) ?? (await countAttempts(db, attempts))
    if (wait === null) return error
    return new Problem('rate_limited', 'Too many tokens from this address were refused. Try again later.', {
      headers: { 'Retry-After': String(wait) },
    })
  }
}

const isUsed = { jwt: ['was used before: each identity token is good once'] }

const unreachable = new Problem(
  'unavailable',
  'The issuer of this token cannot be asked for its keys. Try again.',
  {
    headers: { 'Retry-After': '10' },
  },
)

type Call = { readonly jwt: string; readonly username: string }

/** The fields of a call. Throws a Problem that names what is wrong with them. */
function readCall({ jwt, user }: Fields): Call {
  const username = typeof user === 'string' ? usernameOf(user.trim()) : null
  if (typeof jwt === 'string' && jwt !== '' && username !== null) return { jwt, username }
  const details = {
    ...(typeof jwt === 'string' && jwt !== '' ? {} : { jwt: ['must be the identity token of the job'] }),
    ...(username === null ? { user: ['must be the username to announce for'] } : {}),
  }
  throw new Problem('validation_error', undefined, { details })
}
