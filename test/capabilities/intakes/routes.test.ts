import { afterAll, describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { waitingRecorder } from '../../../src/capabilities/intakes/calls.ts'
import {
  type IntakeKind,
  keptCalls,
  maxCallBytes,
  maxWaiting,
} from '../../../src/capabilities/intakes/rules.ts'
import { payloadIn } from '../../fixtures/files.ts'
import { created, expectError, expectUnauthorized } from '../../support/api.ts'
import { query } from '../../support/database.ts'
import { storedDeployments } from '../../support/deployments.ts'
import {
  type Delivery,
  forgejoRelease,
  forgejoRun,
  githubDeployment,
  githubRelease,
  gitlabDeployment,
  gitlabRelease,
  sha,
} from '../../support/intake/deliveries.ts'
import { deliver, madeIntake, signatureOf } from '../../support/intake/intakes.ts'
import { textOf } from '../../support/markup.ts'
import { type Person, signUp, signUpPoster } from '../../support/people.ts'
import { startService, useService } from '../../support/service.ts'

const service = await useService()

const ping: Delivery = {
  kind: 'github',
  event: 'ping',
  payload: { zen: 'Keep it logically awesome.', hook_id: 1 },
}

async function listed(person: Person, at = service): Promise<Record<string, unknown>[]> {
  const response = await at.fetch(`/api/deployments?user=${person.username}&limit=100`)
  return ((await response.json()) as { deployments: Record<string, unknown>[] }).deployments
}

async function pageOf(person: Person, settings: string): Promise<string> {
  return textOf(await (await person.get(settings)).text(), 'main')
}

describe('What a forge sends is announced:', () => {
  const commit = { commit: sha }
  const onGithub = { url: `https://github.com/ada/engine/commit/${sha}`, ...commit }
  test.each<[name: string, delivery: Delivery, announced: object]>([
    [
      'a deployment of GitHub without a title',
      githubDeployment(),
      { ...onGithub, message: 'engine deployed to production', environment: 'production' },
    ],
    [
      'one of a tag of a version',
      githubDeployment({ ref: 'v2.4.0' }),
      { ...onGithub, message: 'engine v2.4.0 deployed to production', version: 'v2.4.0' },
    ],
    [
      'one with the title of its commit',
      githubDeployment({ title: 'fix: the login', description: 'Deploy', environment: 'Blue & größer' }),
      { ...onGithub, message: 'fix: the login', category: 'bug_fix', environment: 'Blue___gr____er' },
    ],
    ['one with a description', githubDeployment({ description: 'By hand' }), { message: 'By hand' }],
    [
      'a release of GitHub',
      githubRelease(),
      {
        message: 'engine v2.4.0 released',
        url: 'https://github.com/ada/engine/releases/tag/v2.4.0',
        version: 'v2.4.0',
      },
    ],
    [
      'a release with a name',
      githubRelease({ name: 'Saved searches' }),
      { message: 'Saved searches', version: 'v2.4.0' },
    ],
    [
      'a deployment of GitLab',
      gitlabDeployment(),
      {
        message: 'feat: saved searches',
        category: 'feature',
        url: `https://gitlab.example/ada/engine/-/commit/${sha}`,
        environment: 'staging',
        ...commit,
      },
    ],
    [
      'a release of GitLab',
      gitlabRelease(),
      {
        message: 'engine v1.1 released',
        url: 'https://gitlab.example/ada/engine/-/releases/v1.1',
        version: 'v1.1',
        ...commit,
      },
    ],
    [
      'a release of Forgejo',
      forgejoRelease({ name: 'Winter' }),
      { message: 'Winter', url: 'https://codeberg.org/ada/engine/releases/tag/v2.4.0', version: 'v2.4.0' },
    ],
    [
      'a run of Forgejo',
      forgejoRun(),
      { message: 'fix: the login', url: `https://codeberg.org/ada/engine/commit/${sha}`, ...commit },
    ],
    [
      'a text that is too long, and a version that is none, are left out',
      githubRelease({ name: 'x'.repeat(5_000), tag: 'v\u202e1' }),
      { message: 'engine released', url: null },
    ],
  ])('%s', async (_, delivery, announced) => {
    const ada = await signUp(service)
    const answer = await deliver(service, await madeIntake(ada, delivery.kind), delivery)
    const record = await created(answer)
    expect(answer.headers.get('location')).toBe(`http://shipfeed.test/${ada.username}/${record.id}`)
    expect(await listed(ada)).toEqual([expect.objectContaining({ id: record.id, ...announced })])
  })

  test('a form with its JSON as the JSON alone', async () => {
    for (const delivery of [githubRelease(), forgejoRelease()]) {
      const ada = await signUp(service)
      const intake = await madeIntake(ada, delivery.kind)
      const body = new URLSearchParams({ payload: JSON.stringify(delivery.payload) }).toString()
      const sent = { body, type: 'application/x-www-form-urlencoded' }
      const first = await created(await deliver(service, intake, delivery, sent))
      expect((await created(await deliver(service, intake, delivery))).id).toBe(first.id)
    }
  })

  test('not with a token of its owner', async () => {
    const ada = await signUpPoster(service)
    const other = await signUpPoster(service)
    const intake = await madeIntake(ada, 'github')
    const [own, foreign] = [ada.token, other.token].map((token, id) =>
      githubRelease({ id, name: `Use ${token}` }),
    )
    await created(await deliver(service, intake, own as Delivery))
    await created(await deliver(service, intake, foreign as Delivery))
    expect((await listed(ada)).map(({ message }) => message)).toEqual([
      `Use ${other.token}`,
      'engine v2.4.0 released',
    ])
  })
})

const fromFlux = async (file: string): Promise<Delivery> => ({
  kind: 'flux',
  event: 'kustomize-controller',
  payload: await payloadIn(`flux/${file}.json`),
})

describe('Whatever is in the members of a payload, the call is answered:', async () => {
  const anything = fc.oneof(
    fc.jsonValue({ maxDepth: 2 }),
    fc.constantFrom(
      '\u0000',
      '\ud800',
      '\u202e',
      'Production (\u0000)',
      'a / production\ud800 (live)',
      'b\ud800 / live',
      'x'.repeat(5_000),
      'https://a.example/\u0000',
      9e99,
      -1,
    ),
    fc.string({ unit: 'binary', maxLength: 200 }),
  )

  test.each([
    ['a deployment of GitHub', githubDeployment({ title: 'x' })],
    ['a release of GitHub', githubRelease()],
    ['a deployment of GitLab', gitlabDeployment()],
    ['a release of GitLab', gitlabRelease()],
    ['a run of Forgejo', forgejoRun()],
    ['an event of Flux', await fromFlux('kustomization')],
    ['another event of Flux', await fromFlux('helm-upgrade')],
  ] as const)('%s', async (_, delivery) => {
    const intake = await madeIntake(await signUp(service), delivery.kind, { transient: 'on' })
    const paths = pathsIn(delivery.payload).filter((path) => isRead.test(path.join('.')))
    expect(paths.length).toBeGreaterThan(6)
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.constantFrom(...paths), anything), { maxLength: 4 }),
        async (changes) => {
          const payload = structuredClone(delivery.payload)
          for (const [path, value] of changes) setIn(payload, path, value)
          const { status } = await deliver(service, intake, { ...delivery, payload })
          expect([201, 202]).toContain(status)
        },
      ),
      { numRuns: 150 },
    )
  })

  /** Members that are read, and some that are not. */
  const isRead =
    /(^|\.)(id|deployment_id|(html_|web_|commit_)?url|tag(_name)?|name|title|environment|workflow_id|started|(pretty)?ref|(commit_)?sha|description|display_title|kind|uid|reason|timestamp|revision|env|metadata)$/

  /** The paths of all members, at any depth. */
  function pathsIn(value: unknown): string[][] {
    if (typeof value !== 'object' || value === null) return []
    return Object.entries(value).flatMap(([name, member]) => [
      [name],
      ...pathsIn(member).map((path) => [name, ...path]),
    ])
  }

  function setIn(value: object, [name = '', ...rest]: readonly string[], to: unknown): void {
    const members = value as Record<string, unknown>
    const next = members[name]
    if (rest.length === 0) members[name] = to
    else if (typeof next === 'object' && next !== null) setIn(next, rest, to)
  }
})

describe('What announces nothing is 202 and recorded nowhere:', () => {
  test.each<[name: string, delivery: Delivery]>([
    ['a state of GitHub that is no success', githubDeployment({ state: 'inactive' })],
    ['a release that is only a draft', githubRelease({ isDraft: true })],
    ['a release that was edited', githubRelease({ action: 'edited' })],
    ['another event of GitHub', { ...githubDeployment(), event: 'push' }],
    ['a running deployment of GitLab', gitlabDeployment({ status: 'running' })],
    ['a release of GitLab that was changed', gitlabRelease({ action: 'update' })],
    ['another event of GitLab', { ...gitlabRelease(), payload: { object_kind: 'push' } }],
    ['a draft of Forgejo', forgejoRelease({ isDraft: true })],
    ['a run of Forgejo for a pull request', forgejoRun({ trigger: 'pull_request' })],
    ['another event of Forgejo', { ...forgejoRun(), event: 'action_run_failure' }],
    ['JSON without any member', { kind: 'github', event: 'release', payload: [] }],
  ])('%s', async (_, delivery) => {
    const ada = await signUp(service)
    const intake = await madeIntake(ada, delivery.kind)
    const answer = await deliver(service, intake, delivery)
    expect([answer.status, await answer.text()]).toEqual([202, ''])
    expect(await listed(ada)).toEqual([])
    expect(await pageOf(ada, intake.settings)).toContain('None yet.')
  })

  test('a ping is 204', async () => {
    const ada = await signUp(service)
    const intake = await madeIntake(ada, 'github')
    expect((await deliver(service, intake, ping)).status).toBe(204)
    expect(await listed(ada)).toEqual([])
    expect(await pageOf(ada, intake.settings)).toContain('ping')
  })
})

describe('What is not signed with the secret is 401:', () => {
  const wrong = signatureOf('{}', 'another secret')
  test.each<[name: string, delivery: Delivery, headers: Record<string, string>]>([
    ['GitHub, with another secret', githubDeployment(), { 'X-Hub-Signature-256': `sha256=${wrong}` }],
    ['GitHub, with half a signature', githubDeployment(), { 'X-Hub-Signature-256': 'sha256=' }],
    ['GitLab, with another token', gitlabDeployment(), { 'X-Gitlab-Token': 'another secret' }],
    ['GitLab, without one', gitlabDeployment(), { 'X-Gitlab-Token': '' }],
    ['Forgejo', forgejoRelease(), { 'X-Forgejo-Signature': wrong }],
  ])('%s', async (_, delivery, headers) => {
    const ada = await signUp(service)
    const intake = await madeIntake(ada, delivery.kind)
    for (let n = 0; n < 2; n += 1)
      await expectUnauthorized(await deliver(service, intake, delivery, { headers }))
    await expectUnauthorized(
      await deliver(service, intake, delivery, { headers, body: '%', type: 'text/plain' }),
    )
    expect(await listed(ada)).toEqual([])
    // Once a minute.
    expect((await pageOf(ada, intake.settings)).split('refused: its signature is wrong')).toHaveLength(2)
  })

  test('Gitea signs alone', async () => {
    const intake = await madeIntake(await signUp(service), 'forgejo')
    const body = JSON.stringify(forgejoRelease().payload)
    const headers = {
      'Content-Type': 'application/json',
      'X-Gitea-Event': 'release',
      'X-Gitea-Signature': signatureOf(body, intake.secret),
    }
    await created(await service.fetch(intake.at, { method: 'POST', headers, body }))
  })
})

test('an intake takes calls of its forge only, and none once it is deleted', async () => {
  const ada = await signUp(service)
  const intake = await madeIntake(ada, 'github')
  const elsewhere = { ...intake, at: intake.at.replace('github', 'gitlab') }
  await expectError(await deliver(service, elsewhere, gitlabRelease()), 404, 'not_found')
  await ada.send(`${intake.settings}/delete`, {})
  await expectError(await deliver(service, intake, githubRelease()), 404, 'not_found')
})

describe('A text has a bound, above which it is left out as if it were not there:', () => {
  test.each<[name: string, changes: Parameters<typeof githubDeployment>[0], announced: object]>([
    ['a version of 128', { ref: `1.0${'1'.repeat(125)}` }, { version: `1.0${'1'.repeat(125)}` }],
    ['one of 129', { ref: `1.0${'1'.repeat(126)}` }, { version: undefined }],
    ['a title of 4,096', { title: 'a'.repeat(4_096) }, { message: 'a'.repeat(4_096) }],
    ['one of 4,097', { title: 'a'.repeat(4_097) }, { message: 'engine deployed to production' }],
    [
      'the name of an environment of 255, which is cut',
      { environment: 'é'.repeat(255) },
      { environment: '_'.repeat(64) },
    ],
    ['one of 256', { environment: 'a'.repeat(256) }, { environment: undefined }],
  ])('%s', async (_, changes, announced) => {
    const intake = await madeIntake(await signUp(service), 'github')
    const record = await created(await deliver(service, intake, githubDeployment(changes)))
    for (const [name, value] of Object.entries(announced)) expect(record[name]).toEqual(value)
  })

  test('a ref of a megabyte delays nobody', async () => {
    const intake = await madeIntake(await signUp(service), 'github')
    const ref = `1${'.1'.repeat(500_000)}!`
    const start = process.cpuUsage()
    await created(await deliver(service, intake, githubDeployment({ ref })))
    expect(process.cpuUsage(start).user / 1_000).toBeLessThan(5_000)
  })
})

test('a body has at most 1 MiB', async () => {
  const intake = await madeIntake(await signUp(service), 'github')
  const json = JSON.stringify(githubRelease().payload)
  const body = json + ' '.repeat(maxCallBytes - json.length)
  await created(await deliver(service, intake, githubRelease(), { body }))
  await expectError(
    await deliver(service, intake, githubRelease(), { body: `${body} ` }),
    413,
    'payload_too_large',
  )
})

describe('An event is announced once,', () => {
  test('however often it is delivered, and to whichever intake of its owner', async () => {
    const ada = await signUp(service)
    const intakes = [await madeIntake(ada, 'github'), await madeIntake(ada, 'github')] as const
    const [first] = await Promise.all(intakes.map((intake) => deliver(service, intake, githubDeployment())))
    const again = await deliver(service, intakes[0], githubDeployment())
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(await again.json()).toEqual(await first?.json())
    // The same deployment, told with another description.
    const other = await deliver(service, intakes[0], githubDeployment({ description: 'Renamed' }))
    expect([other.status, await other.text()]).toEqual([202, ''])
    expect(await listed(ada)).toHaveLength(1)
    expect(await pageOf(ada, intakes[0].settings)).toContain('announced before')
  })

  test.each<[name: string, deliveries: Delivery[]]>([
    [
      'and others are others',
      [githubDeployment({ id: 1 }), githubDeployment({ id: 2 }), githubRelease({ id: 1 })],
    ],
    ['though servers count alike', [githubDeployment(), githubDeployment({ server: 'https://ghe.example' })]],
    ['though a run is run again', [forgejoRun(), forgejoRun({ started: '2025-04-15T10:30:15Z' })]],
  ])('%s', async (_, deliveries) => {
    const ada = await signUp(service)
    const intake = await madeIntake(ada, (deliveries[0] as Delivery).kind)
    for (const delivery of deliveries) await created(await deliver(service, intake, delivery))
    expect(await listed(ada)).toHaveLength(deliveries.length)
  })
})

describe('An intake leaves out', () => {
  test.each<[name: string, kind: IntakeKind, fields: Record<string, string>, out: Delivery, not: Delivery]>([
    [
      'other environments',
      'github',
      { environments: 'Production' },
      githubDeployment({ environment: 'staging' }),
      githubDeployment({ environment: 'PRODUCTION' }),
    ],
    [
      'releases, if it has environments',
      'gitlab',
      { environments: 'staging' },
      gitlabRelease(),
      gitlabDeployment(),
    ],
    [
      'transient environments',
      'github',
      {},
      githubDeployment({ id: 1, isTransient: true }),
      githubDeployment(),
    ],
    [
      'review apps of GitLab',
      'gitlab',
      {},
      gitlabDeployment({ id: 1, environment: 'review/login' }),
      gitlabDeployment({ environment: 'reviewed' }),
    ],
    [
      'other workflows',
      'forgejo',
      { workflows: 'Deploy.yml' },
      forgejoRun({ workflow: 'test.yml' }),
      forgejoRun(),
    ],
  ])('%s', async (_, kind, fields, out, not) => {
    const ada = await signUp(service)
    const intake = await madeIntake(ada, kind, fields)
    expect((await deliver(service, intake, out)).status).toBe(202)
    expect(await listed(ada)).toEqual([])
    expect(await pageOf(ada, intake.settings)).toContain('left out: ')
    await created(await deliver(service, intake, not))
  })

  test('none of the transient ones that it was asked for', async () => {
    const ada = await signUp(service)
    const intake = await madeIntake(ada, 'github', { transient: 'on' })
    await created(await deliver(service, intake, githubDeployment({ isTransient: true })))
  })
})

describe('Beyond the rate of its owner,', async () => {
  const slow = await startService({ RATE_LIMIT_PER_MINUTE: '2' })
  afterAll(slow.close)
  const recordWaiting = waitingRecorder(slow.db, { ratePerMinute: 2 })

  /** As if all that was announced and withdrawn so far had been a minute earlier. */
  const minutePasses = (person: Person) =>
    query(
      slow.db,
      sql`update deployments set deployed_at = deployed_at - interval '1 minute'
        where user_id = (select id from users where username = ${person.username})`,
    )

  test('calls wait, also redelivered ones, and are announced in their order as the minute allows', async () => {
    const ada = await signUp(slow)
    const intake = await madeIntake(ada, 'github')
    const call = (id: number) => deliver(slow, intake, githubRelease({ id, name: `Number ${id}` }))
    const answers = []
    for (const id of [1, 2, 3, 4, 5, 4, 1]) answers.push((await call(id)).status)
    expect(answers).toEqual([201, 201, 202, 202, 202, 202, 202])
    await recordWaiting()
    const messages = async () => (await listed(ada, slow)).map(({ message }) => message).reverse()
    expect(await messages()).toEqual(['Number 1', 'Number 2'])
    expect(await pageOf(ada, intake.settings)).toContain('4 calls wait')

    await minutePasses(ada)
    // A new call stays behind those that wait.
    expect((await call(6)).status).toBe(202)
    await Promise.all([recordWaiting(), recordWaiting()])
    expect(await messages()).toEqual(['Number 1', 'Number 2', 'Number 3', 'Number 4'])
    for (let n = 0; n < 2; n += 1) {
      await minutePasses(ada)
      await recordWaiting()
    }
    expect(await messages()).toEqual([1, 2, 3, 4, 5, 6].map((id) => `Number ${id}`))
    const page = await pageOf(ada, intake.settings)
    expect(page).not.toContain('wait')
    expect(page).toContain('announced before')
    await minutePasses(ada)
    await created(await call(7))
  })

  test('those of a paused intake stay, and its new calls are left out', async () => {
    const ada = await signUp(slow)
    const intake = await madeIntake(ada, 'github')
    for (const id of [1, 2, 3]) await deliver(slow, intake, githubRelease({ id }))
    await ada.send(`${intake.settings}/pause`, {})
    expect((await deliver(slow, intake, githubRelease({ id: 4 }))).status).toBe(202)
    await minutePasses(ada)
    await recordWaiting()
    expect(await listed(ada, slow)).toHaveLength(2)
    const page = await pageOf(ada, intake.settings)
    expect(page).toContain('Paused. 1 call waits until you resume it.')
    expect(page).toContain('left out: the intake is paused')
    await ada.send(`${intake.settings}/resume`, {})
    await recordWaiting()
    expect(await listed(ada, slow)).toHaveLength(3)
  })

  test(`at most ${maxWaiting} wait`, async () => {
    const ada = await signUp(slow)
    const intake = await madeIntake(ada, 'github')
    for (const id of [1, 2]) await deliver(slow, intake, githubRelease({ id }))
    await query(
      slow.db,
      sql`insert into intake_calls (user_id, intake_id, about, outcome, waiting, key)
        select user_id, id, '', 'waiting', '{"message":"x","url":null,"category":null}', 'k' || n
        from intakes cross join generate_series(2, ${maxWaiting}) n
        where id = ${intake.settings.split('/').at(-1)}`,
    )
    expect((await deliver(slow, intake, githubRelease({ id: 3 }))).status).toBe(202)
    const full = await deliver(slow, intake, githubRelease({ id: 4 }))
    expect([full.status, full.headers.get('retry-after')]).toEqual([429, '60'])
    // One that waits already may come again.
    expect((await deliver(slow, intake, githubRelease({ id: 3 }))).status).toBe(202)
    expect(await pageOf(ada, intake.settings)).toContain(`${maxWaiting} calls wait`)
  })
})

test(`the last ${keptCalls} calls are kept`, async () => {
  const ada = await signUp(service)
  const intake = await madeIntake(ada, 'github')
  for (let id = 0; id <= keptCalls; id += 1)
    await deliver(service, intake, githubRelease({ id, tag: `v${id}.0` }))
  const page = await pageOf(ada, intake.settings)
  expect(page.split('released · announced')).toHaveLength(keptCalls + 1)
  expect(page).toContain('v1.0 released')
  expect(page).not.toContain('v0.0 released')
  expect(await storedDeployments(service.db, ada.username)).toHaveLength(keptCalls + 1)
})
