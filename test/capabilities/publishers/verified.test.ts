import { afterAll, expect, test } from 'bun:test'
import { restoreDump } from '../../../src/capabilities/backups/restore.ts'
import { identityOf, vouchedBy } from '../../../src/capabilities/publishers/claims.ts'
import { issuerOf } from '../../../src/domain/issuer.ts'
import { tables } from '../../../src/table-uses.ts'
import { created, json, post } from '../../support/api.ts'
import { openTestDatabase } from '../../support/database.ts'
import { dumpOf, opened, streamOf } from '../../support/dump/dumps.ts'
import { openEventSource } from '../../support/live/event-source.ts'
import { textOf } from '../../support/markup.ts'
import { buildkiteClaims, gitHubClaims, gitLabClaims } from '../../support/oidc/claims.ts'
import { exchange, signUpTruster } from '../../support/oidc/exchange.ts'
import { startIssuer } from '../../support/oidc/issuer.ts'
import { type Person, rollToken } from '../../support/people.ts'
import { startService, useService } from '../../support/service.ts'

const issuer = await startIssuer()
afterAll(issuer[Symbol.asyncDispose])
const service = await useService(issuer.environment)

/** The host of both forges on loopback. */
const host = new URL(issuer.addressOf('github')).host
const verified = { issuer: issuer.addressOf('github'), repository: 'ada/engine', workflow: 'deploy.yml' }

type Listed = { readonly deployments: readonly Record<string, unknown>[] }

/** Somebody who trusts ada/engine, and a token that its job has got. */
async function publisher(
  claims = gitHubClaims(issuer),
  kind: 'github' | 'gitlab' | 'buildkite' = 'github',
): Promise<Person & { announce(fields: Record<string, unknown>): Promise<Record<string, unknown>> }> {
  const repository = kind === 'buildkite' ? 'acme/engine' : 'ada/engine'
  const person = await signUpTruster(service, { issuer: issuer.addressOf(kind), repository })
  const answer = await exchange(service, { jwt: await issuer.sign(claims), user: person.username })
  const { token } = (await answer.json()) as { token: string }
  return {
    ...person,
    announce: async (fields) => await created(await post(service, token, json({ message: 'A', ...fields }))),
  }
}

test('a link below the repository of the identity is verified, and no other one', async () => {
  const ada = await publisher()
  const at = `https://${host}/ada/engine`
  for (const url of [at, `${at}/`, `${at}/commit/abc`, `${at}?a=/../b`, `${at}#readme`, at.toUpperCase()]) {
    const written = url.replace('HTTPS', 'https')
    expect([written, (await ada.announce({ url: written })).verified]).toEqual([written, verified])
  }
  for (const url of [
    `https://${host}/ada/engine-2/commit/abc`,
    `https://${host}/ada/engine.git`,
    `https://${host}/ada/other`,
    `https://${host}/ada`,
    `https://${host}/eve/ada/engine`,
    `https://${host}//ada/engine`,
    `https://${host}/x/../ada/engine`,
    `${at}/../other`,
    `${at}/commit/../../../eve/evil`,
    `${at}/%2e%2E/other`,
    `${at}/.%2e/other`,
    `${at}/x/..`,
    `${at}/..\\..\\eve`,
    `${at}\\..\\other`,
    `${at}/..%2fother`,
    `http://${host}/ada/engine`,
    `https://${host.split(':')[0]}/ada/engine`,
    `https://evil.example/${host}/ada/engine`,
    `https://github.com/ada/engine`,
    `https://evil.example/?${at}`,
    null,
  ]) {
    expect([url, 'verified' in (await ada.announce({ url }))]).toEqual([url, false])
  }
})

test('beside the name of a project, which nothing proves, no list says so', async () => {
  const ada = await publisher()
  const url = `https://${host}/ada/engine/commit/abc`
  const { id } = await ada.announce({ url, project: 'eve/engine' })
  const pageAt = async (path: string) => await (await service.fetch(path)).text()
  expect(await pageAt(`/${ada.username}`)).not.toContain('class="verified"')
  expect(await pageAt(`/${ada.username}/${id}`)).toContain('of ada/engine announced this')
})

test('it says so in every list, stream and page, in the export, and after a restore', async () => {
  const ada = await publisher()
  const watching = await openEventSource(service, `/api/deployments/live?user=${ada.username}`)
  const pageOpen = await openEventSource(service, `/feed/live?user=${ada.username}`)
  const { id } = await ada.announce({ url: `https://${host}/ada/engine/commit/abc` })
  const plain = await ada.announce({ url: 'https://ada.example/' })
  const list = (await (await service.fetch(`/api/deployments?user=${ada.username}`)).json()) as Listed
  expect(list.deployments.map((record) => record.verified)).toEqual([undefined, verified])
  expect(await (await service.fetch(`/api/deployments/${id}`)).json()).toMatchObject({ verified })
  const sent = await watching.find(({ event }) => event === 'deployment')
  expect(JSON.parse(sent.data ?? '')).toMatchObject({ id, verified })
  expect((await pageOpen.find(({ data }) => data !== null)).data).toContain('class="verified"')
  const marks = async (path: string) =>
    (await (await service.fetch(path)).text()).split('class="verified"').length - 1
  for (const path of [
    `/${ada.username}`,
    `/${ada.username}/${host.split(':')[0]}/ada/engine`,
    `/?q=@${ada.username}+abc`,
  ])
    expect([path, await marks(path)]).toEqual([path, 1])
  const page = textOf(await (await service.fetch(`/${ada.username}/${id}`)).text(), 'main')
  expect(page).toContain('proved that the workflow deploy.yml of ada/engine announced this')
  expect(page).toContain('This does not prove that the message is true or that the deployment works.')
  expect(await marks(`/${ada.username}/${plain.id}`)).toBe(0)
  const exported = (await (await ada.get('/settings/export')).json()) as Listed
  expect(exported.deployments.map((record) => record.verified)).toEqual([null, verified])

  await using there = await opened(openTestDatabase())
  await restoreDump(there.db, tables, streamOf(await dumpOf(service.db)))
  await using restored = await startService({}, there.db)
  expect(await (await restored.fetch(`/api/deployments/${id}`)).json()).toMatchObject({ verified })
  watching.close()
  pageOpen.close()
})

test('removing the publisher takes nothing back', async () => {
  const ada = await publisher()
  const { id } = await ada.announce({ url: `https://${host}/ada/engine` })
  const settings = await (await ada.get('/settings')).text()
  const [path = ''] = settings.match(/\/settings\/publishers\/\d+\/delete/) ?? []
  expect((await ada.send(path, {})).status).toBe(303)
  expect(await (await service.fetch(`/api/deployments/${id}`)).json()).toMatchObject({ verified })
})

test('neither history nor an ordinary token nor a field sets it', async () => {
  const ada = await publisher()
  const token = await rollToken(ada)
  const url = `https://${host}/ada/engine/commit/abc`
  const forged = { message: 'A', url, verified, publisher_id: 1, verifies: 'x' }
  expect('verified' in (await created(await post(service, token, json(forged))))).toBe(false)
  const other = await ada.announce({ url: 'https://ada.example/', verified })
  expect('verified' in other).toBe(false)
  const history = [{ ...forged, key: 'a', deployed_at: '2024-03-12T14:03:22Z' }]
  const answer = await service.fetch('/api/history', {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(history),
  })
  expect(await answer.json()).toMatchObject({ added: 1 })
  const list = (await (await service.fetch(`/api/deployments?user=${ada.username}`)).json()) as Listed
  expect(list.deployments.filter((record) => 'verified' in record)).toEqual([])
})

test('an identity of GitLab has its own host, and one that is no forge verifies nothing', async () => {
  const ada = await publisher(gitLabClaims(issuer, { ci_config_ref_uri: undefined }), 'gitlab')
  const there = await ada.announce({ url: `https://${host}/gitlab/ada/engine/-/commit/abc` })
  expect(there.verified).toEqual({ ...verified, issuer: issuer.addressOf('gitlab'), workflow: null })
  expect('verified' in (await ada.announce({ url: `https://${host}/ada/engine` }))).toBe(false)
  const acme = await publisher(buildkiteClaims(issuer), 'buildkite')
  expect('verified' in (await acme.announce({ url: `https://${host}/acme/engine` }))).toBe(false)
})

test.each([
  ['https://token.actions.githubusercontent.com', 'github.com/ada/engine'],
  ['https://token.actions.githubusercontent.com/acme', 'github.com/ada/engine'],
  ['https://token.actions.acme.ghe.com', 'acme.ghe.com/ada/engine'],
  ['https://git.example/_services/token', 'git.example/ada/engine'],
  ['https://github.com/_services/token', null],
  ['https://gitlab.com', 'gitlab.com/ada/engine'],
  ['gitlab+https://git.example/gitlab', 'git.example/gitlab/ada/engine'],
  ['https://agent.buildkite.com', null],
  ['https://ci.example', null],
])('an identity of %s verifies links below %p only', (entry, verifies) => {
  const found = issuerOf(entry, true)
  if (found === null) throw new Error('It is no issuer')
  const claims = { ...gitHubClaims(issuer), ...gitLabClaims(issuer), ...buildkiteClaims(issuer) }
  const named = (repository: string) => {
    const read = identityOf(found, { ...claims, repository, project_path: repository })
    return read.outcome === 'identified' ? vouchedBy(found, read.identity).verifies : read.reason
  }
  expect(named('Ada/engine')).toBe(verifies)
  for (const name of ['ada/..', '../ada/engine', 'ada/%2e%2e', 'ada/engine?', 'ada'])
    expect(named(name)).toBeNull()
})
