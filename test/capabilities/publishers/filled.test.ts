import { afterAll, expect, test } from 'bun:test'
import type { JWTPayload } from 'jose'
import { created, json, post } from '../../support/api.ts'
import {
  buildkiteClaims,
  circleCiClaims,
  circleCiProject,
  gitHubClaims,
  gitLabClaims,
  otherClaims,
} from '../../support/oidc/claims.ts'
import { exchange, signUpTruster } from '../../support/oidc/exchange.ts'
import { type LocalKind, startIssuer } from '../../support/oidc/issuer.ts'
import { behindProxy, fromNewAddress, type Person } from '../../support/people.ts'
import { useService } from '../../support/service.ts'

const issuer = await startIssuer()
afterAll(issuer[Symbol.asyncDispose])
const service = await useService({ ...issuer.environment, ...behindProxy })

const truster = (kind: LocalKind, repository: string) =>
  signUpTruster(service, { issuer: issuer.addressOf(kind), repository })

const answerTo = async ({ username }: Person, claims: JWTPayload) =>
  await exchange(service, { jwt: await issuer.sign(claims), user: username }, fromNewAddress())

const commit = '9f3182061f1e2cca4702c368cbc039b7dc9d4485'
const tag = { ref: 'refs/tags/v2.4.0', ref_type: 'tag' }

test.each([
  ['github', gitHubClaims(issuer, { sha: commit }), { environment: 'production', commit }],
  [
    'github',
    gitHubClaims(issuer, { ...tag, sha: commit }),
    { environment: 'production', version: 'v2.4.0', commit },
  ],
  // What no announcement could have is left out.
  ['github', gitHubClaims(issuer, { environment: 'Production (EU)', sha: 'c0ffee' }), {}],
  ['github', gitHubClaims(issuer, { environment: undefined, sha: undefined, ref: 'refs/heads/tags' }), {}],
  [
    ...([
      'gitlab',
      gitLabClaims(issuer, { ref: 'v2.4.0', ref_type: 'tag', sha: commit, environment: 'eu' }),
    ] as const),
    { environment: 'eu', version: 'v2.4.0', commit },
  ],
  ['gitlab', gitLabClaims(issuer, { ref: 'v2.4.0', ref_type: 'branch' }), {}],
  ['buildkite', buildkiteClaims(issuer, { build_tag: 'v2.4.0' }), { version: 'v2.4.0', commit }],
  ['buildkite', buildkiteClaims(issuer), { commit }],
  [
    'circleci',
    circleCiClaims(issuer, { 'oidc.circleci.com/vcs-ref': 'refs/tags/v2.4.0' }),
    { version: 'v2.4.0' },
  ],
  ['other', otherClaims(issuer, { environment: 'production', sha: commit, ref: 'refs/tags/v1' }), {}],
] as const)(
  'an announcement that leaves it out has what the identity of %s says: %#',
  async (kind, claims, filled) => {
    const sources: Record<LocalKind, string> = {
      ...{ github: 'ada/engine', gitlab: 'ada/engine', buildkite: 'acme/engine' },
      ...{ circleci: circleCiProject, other: 'organization:Ada:' },
    }
    const person = await truster(kind, sources[kind])
    const { token } = (await (await answerTo(person, claims)).json()) as { token: string }
    const release = ({ environment, version, commit: of }: Record<string, unknown>) =>
      JSON.parse(JSON.stringify({ environment, version, commit: of }))
    const announce = async (fields: Record<string, unknown>, headers = {}) =>
      await post(service, token, json({ message: 'Deployed', ...fields }), headers)
    const one = await created(await announce({}))
    expect(release(one)).toEqual(filled)
    // The same in a list, after a check, in a batch, and again with a key.
    const list = await service.fetch(`/api/deployments?user=${person.username}`)
    const { deployments } = (await list.json()) as { deployments: Record<string, unknown>[] }
    expect(release(deployments[0] ?? {})).toEqual(filled)
    const checked = await service.fetch('/api/check', {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ message: 'Deployed' }),
    })
    expect(release((await checked.json()) as Record<string, unknown>)).toEqual(filled)
    const many = await Promise.all(Array.from({ length: 12 }, async () => created(await announce({}))))
    for (const record of many) expect(release(record)).toEqual(filled)
    const keyed = await created(await announce({}, { 'Idempotency-Key': 'a' }))
    const replayed = await announce({}, { 'Idempotency-Key': 'a' })
    expect([replayed.headers.get('idempotent-replayed'), await replayed.json()]).toEqual(['true', keyed])
    // What it says itself stands.
    const own = { environment: 'staging', version: 'v1', commit: 'abcdef0' }
    expect(release(await created(await announce(own)))).toEqual(own)
  },
)
