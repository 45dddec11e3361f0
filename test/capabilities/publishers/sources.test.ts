import { afterAll, expect, test } from 'bun:test'
import type { JWTPayload } from 'jose'
import { buildkiteClaims, circleCiClaims, circleCiProject, otherClaims } from '../../support/oidc/claims.ts'
import { exchange, signUpTruster } from '../../support/oidc/exchange.ts'
import { type LocalKind, startIssuer } from '../../support/oidc/issuer.ts'
import { behindProxy, fromNewAddress, type Person } from '../../support/people.ts'
import { useService } from '../../support/service.ts'

const issuer = await startIssuer()
afterAll(issuer[Symbol.asyncDispose])
const service = await useService({ ...issuer.environment, ...behindProxy })

const truster = (kind: LocalKind, repository: string) =>
  signUpTruster(service, { issuer: issuer.addressOf(kind), repository })

const answerTo = async ({ username }: Person, claims: JWTPayload, jwt?: string) =>
  await exchange(service, { jwt: jwt ?? (await issuer.sign(claims)), user: username }, fromNewAddress())

test.each([
  ['organization:Ada:pipeline:7', {}, 201],
  ['organization:Ada:', {}, 201],
  ['organization:Ada:pipeline:', {}, 201],
  ['organization:Ada:pipeline:7', { sub: 'organization:Ada:pipeline:7:step:1' }, 403],
  ['organization:Ada:pipeline:7:', { sub: 'organization:Ada:pipeline:7:step:1' }, 201],
  ['organization:Ada:pipeline:7:', { sub: 'organization:Ada:pipeline:70:step:1' }, 403],
  ['organization:Ada:', { sub: 'organization:Ada-2:pipeline:7' }, 403],
  ['organization:Ada:', { sub: 'organization:ada:pipeline:7' }, 403],
  ['organization:A*:', {}, 403],
  ['organization:.*:', {}, 403],
  ['org/1/', { sub: 'org/1/project/2' }, 201],
  ['pipeline_id=7', { pipeline_id: '7' }, 201],
  ['pipeline_id=7', { pipeline_id: 7 }, 201],
  ['pipeline_id=7', { pipeline_id: '70' }, 403],
  ['pipeline_id=7', { pipeline_id: ['7'] }, 403],
  ['pipeline_id=*', { pipeline_id: '7' }, 403],
  ['pipeline_id=undefined', {}, 403],
  ['toString=7', {}, 403],
  ['kubernetes.io/name=a=b', { 'kubernetes.io/name': 'a=b' }, 201],
  ['sub=a=b', { sub: 'a=b' }, 201],
])('of another issuer, "%s" trusts a job with %p: %p', async (source, claims, status) => {
  const person = await truster('other', source)
  expect((await answerTo(person, otherClaims(issuer, claims))).status).toBe(status)
})

test('a pipeline of Buildkite is trusted by its name, and the ids behind the names are pinned', async () => {
  const person = await truster('buildkite', 'acme/engine')
  const claims = (more = {}) => buildkiteClaims(issuer, more)
  expect((await answerTo(person, claims())).status).toBe(201)
  for (const [wrong, reason] of [
    [{ sub: 'organization:acme:pipeline:engine-2:ref:refs/heads/main' }, 'has no such publisher'],
    [{ sub: 'organization:acme-2:pipeline:engine:ref:refs/heads/main' }, 'has no such publisher'],
    [{ pipeline_id: crypto.randomUUID() }, 'pipeline_id'],
    [{ organization_id: crypto.randomUUID() }, 'organization_id'],
    [{ organization_id: undefined }, 'The claim organization_id is missing'],
    [{ build_branch: 'eve:main' }, 'builds of forks may not announce'],
  ] as const) {
    const refused = await answerTo(person, claims(wrong))
    expect([refused.status, await refused.text()]).toEqual([403, expect.stringContaining(reason)])
  }
  // Its tokens have no id, so the same one is recognised by what was signed.
  const jwt = await issuer.sign(claims())
  expect((await answerTo(person, {}, jwt)).status).toBe(201)
  expect((await answerTo(person, {}, jwt)).status).toBe(422)
})

test('a project of CircleCI is trusted by its id, which is pinned, and not if a person can enter the job', async () => {
  const person = await truster('circleci', circleCiProject)
  const claims = (more = {}) => circleCiClaims(issuer, more)
  expect((await answerTo(person, claims())).status).toBe(201)
  for (const [wrong, reason] of [
    [{ sub: `org/0193abcd/project/${circleCiProject}/user/1` }, 'has no such publisher'],
    [{ 'oidc.circleci.com/project-id': crypto.randomUUID() }, 'project-id'],
    [{ 'oidc.circleci.com/project-id': undefined }, 'project-id is missing'],
    [{ 'oidc.circleci.com/ssh-rerun': true }, 'a person can enter'],
    [{ 'oidc.circleci.com/vcs-ref': 'refs/pull/7/head' }, 'may not announce'],
  ] as const) {
    const refused = await answerTo(person, claims(wrong))
    expect([refused.status, await refused.text()]).toEqual([403, expect.stringContaining(reason)])
  }
})
