import { afterAll } from 'bun:test'
import { Unavailable } from '../../../src/database/errors.ts'
import { failingDatabase } from '../../support/database.ts'
import { gitHubClaims } from '../../support/oidc/claims.ts'
import { exchange } from '../../support/oidc/exchange.ts'
import { startIssuer } from '../../support/oidc/issuer.ts'
import { behindProxy, fromNewAddress, signUpPoster } from '../../support/people.ts'
import { type Service, startService, useService } from '../../support/service.ts'

type Cause = readonly [status: number, route: string, what: string, cause: () => Promise<Response>]

/** How each answer of /api/oidc comes about; `crowded` gives the answer where too many requests are under way. */
export async function oidcCauses(
  crowded: (ask: (at: Service) => Promise<Response>) => Cause[3],
): Promise<readonly Cause[]> {
  const issuer = await startIssuer()
  afterAll(issuer[Symbol.asyncDispose])
  const service = await useService({ ...issuer.environment, ...behindProxy })
  const { token: ownToken, ...poster } = await signUpPoster(service)
  await poster.send('/settings/publishers', { issuer: issuer.addressOf('github'), repository: 'ada/engine' })

  const jwt = await issuer.sign(gitHubClaims(issuer))
  const call = (fields: Record<string, string>) =>
    exchange(service, { user: poster.username, ...fields }, fromNewAddress())
  const end = (token: string, at = service) =>
    at.fetch('/api/oidc', { method: 'DELETE', headers: { Authorization: `Bearer ${token}` } })
  const given = async () => {
    const answer = await call({ jwt: await issuer.sign(gitHubClaims(issuer)) })
    return ((await answer.json()) as { token: string }).token
  }
  const raw = (body: string, type: string) =>
    service.fetch('/api/oidc', { method: 'POST', body, headers: { 'Content-Type': type } })
  const failing = (error: Error, ask: (at: typeof service) => Promise<Response>) => async () => {
    await using broken = await startService(issuer.environment, failingDatabase(error))
    return await ask(broken)
  }
  const off = (ask: (at: typeof service) => Promise<Response>) => async () => {
    await using plain = await startService()
    return await ask(plain)
  }
  const right = (at: typeof service) => exchange(at, { jwt, user: poster.username })
  const from = fromNewAddress()

  const post = 'post /api/oidc'
  const del = 'delete /api/oidc'
  return [
    [201, post, 'a token', () => call({ jwt })],
    [422, post, 'used before', () => call({ jwt })],
    [422, post, 'no fields', () => call({ user: '' })],
    [400, post, 'broken JSON', () => raw('{', 'application/json')],
    [401, post, 'no signature', () => call({ jwt: 'x' })],
    [
      403,
      post,
      'an audience of others',
      async () => call({ jwt: await issuer.sign(gitHubClaims(issuer, { aud: 'x' })) }),
    ],
    [404, post, 'no issuers', off(right)],
    ...[post, del].map(
      (route): Cause => [405, route, 'another method', () => service.fetch('/api/oidc', { method: 'PATCH' })],
    ),
    [413, post, 'too much', () => call({ jwt: 'x'.repeat(70_000) })],
    [415, post, 'another media type', () => raw('x', 'text/plain')],
    [
      429,
      post,
      'too often',
      async () => {
        const wrong = () => exchange(service, { jwt: 'x', user: poster.username }, from)
        for (let n = 0; n < 60; n += 1) await wrong()
        return await wrong()
      },
    ],
    [429, del, 'too many at once', crowded((at) => end(ownToken, at))],
    [500, post, 'a fault', failing(new Error('boom'), right)],
    [503, post, 'an outage', failing(new Unavailable('down'), right)],
    [204, del, 'ended', async () => end(await given())],
    [401, del, 'a token of a user', () => end(ownToken)],
    [404, del, 'no issuers', off((at) => end(ownToken, at))],
    [500, del, 'a fault', failing(new Error('boom'), (at) => end(ownToken, at))],
    [503, del, 'an outage', failing(new Unavailable('down'), (at) => end(ownToken, at))],
  ]
}
