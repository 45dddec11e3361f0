import { describe, expect, test } from 'bun:test'
import examples from '@octokit/webhooks-examples'
import { sql } from 'drizzle-orm'
import { waitingRecorder } from '../../../src/capabilities/intakes/calls.ts'
import { type IntakeKind, intakeKinds } from '../../../src/capabilities/intakes/rules.ts'
import { payloadIn } from '../../fixtures/files.ts'
import { created } from '../../support/api.ts'
import { query } from '../../support/database.ts'
import type { Delivery } from '../../support/intake/deliveries.ts'
import { deliver, type Intake, madeIntake } from '../../support/intake/intakes.ts'
import { textOf } from '../../support/markup.ts'
import { inParallel } from '../../support/parallel.ts'
import { type Person, signUp } from '../../support/people.ts'
import { startService, useService } from '../../support/service.ts'

/** Payloads as tools send them: those of GitHub's own collection, and those of test/fixtures. */
const service = await useService()

type Announced = Readonly<Record<string, unknown>>

async function listed(person: Person): Promise<readonly Announced[]> {
  const response = await service.fetch(`/api/deployments?user=${person.username}&limit=100`)
  return ((await response.json()) as { deployments: Announced[] }).deployments
}

async function callsOf(person: Person, { settings }: Intake): Promise<string> {
  return textOf(await (await person.get(settings)).text(), '#calls')
}

async function inFile(kind: IntakeKind, event: string, file: string): Promise<Delivery> {
  return { kind, event, payload: await payloadIn(file) }
}

describe('GitHub', () => {
  const all = examples.flatMap(({ name, examples: payloads }) =>
    payloads.map((payload) => ({ kind: 'github' as const, event: name, payload })),
  )
  const deployment = all.find(({ event, payload }) => event === 'deployment_status' && isSuccess(payload))

  test('announces the successful deployments and the published releases among all examples', async () => {
    const ada = await signUp(service)
    const intake = await madeIntake(ada, 'github')
    expect(all.length).toBeGreaterThan(200)
    const answers = await inParallel(all, 8, async (delivery) => {
      const { status } = await deliver(service, intake, delivery)
      return `${delivery.event} ${status}`
    })
    expect([...new Set(answers.filter((answer) => !answer.endsWith(' 202')))].toSorted()).toEqual([
      'deployment_status 201',
      'ping 204',
      'release 201',
    ])
    expect((await listed(ada)).map(({ message }) => message).toSorted()).toEqual([
      'Hello-World 0.0.1 released',
      'Hello-World deployed to production',
    ])
    expect((await listed(ada)).map(({ actor }) => actor)).toEqual(['Codertocat', 'Codertocat'])
  })

  test('announces who deployed and where it runs, as far as both are told', async () => {
    const intake = await madeIntake(await signUp(service), 'github')
    const person = { login: 'grace' }
    const bot = { login: 'github-actions[bot]' }
    const address = { login: 'grace@example.com' }
    const url = 'https://engine.example/?build=7'
    for (const [id, [told, announced]] of [
      [{}, { actor: 'Codertocat' }],
      [{ creator: person }, { actor: 'grace' }],
      [{ creator: bot }, { actor: 'Codertocat' }],
      [{ creator: bot, sender: bot }, {}],
      [{ creator: bot, sender: bot, workflow_run: { actor: person, triggering_actor: bot } }, {}],
      [
        { creator: bot, sender: bot, workflow_run: { actor: bot, triggering_actor: person } },
        { actor: 'grace' },
      ],
      [{ creator: address, sender: { login: 'x'.repeat(61) } }, {}],
      [{ sender: null, creator: null }, {}],
      [
        { creator: person, environment_url: url },
        { actor: 'grace', environment_url: url },
      ],
      [{ creator: person, environment_url: 'javascript:alert(1)' }, { actor: 'grace' }],
      [{ creator: person, environment_url: `https://e.example/${'x'.repeat(2_031)}` }, { actor: 'grace' }],
      [{ creator: person, environment_url: '' }, { actor: 'grace' }],
    ].entries() as Iterable<[number, [Record<string, unknown>, object]]>) {
      const { creator, environment_url, ...rest } = told
      const payload = structuredClone(deployment?.payload ?? {}) as Record<
        'deployment' | 'deployment_status',
        object
      >
      Object.assign(payload, rest)
      Object.assign(payload.deployment, { id }, 'creator' in told ? { creator } : {})
      Object.assign(payload.deployment_status, { environment_url })
      const { actor, environment_url: runs } = (await created(
        await deliver(service, intake, { kind: 'github', event: 'deployment_status', payload }),
      )) as unknown as Announced
      expect({ id, actor, environment_url: runs }).toEqual({
        id,
        actor: undefined,
        environment_url: undefined,
        ...announced,
      })
    }
  })

  test('announces a release whose name says only its version by what was released', async () => {
    const release = all.find(({ event, payload }) => event === 'release' && isPublished(payload))
    const intake = await madeIntake(await signUp(service), 'github')
    const tags =
      await payloadIn<{ tag: string; title: string; repository: string; release: string | null }[]>(
        'messages/tags.json',
      )
    for (const [id, { tag, title, repository, release: what }] of tags.entries()) {
      const payload = structuredClone(release?.payload ?? {}) as { release: object; repository: object }
      Object.assign(payload.release, { id, tag_name: tag, name: title })
      Object.assign(payload.repository, { html_url: `https://github.com/ada/${repository}` })
      const { message } = await created(
        await deliver(service, intake, { kind: 'github', event: 'release', payload }),
      )
      // A release may have the title of all packages that were released together.
      expect(message).toBe(what === null || title.startsWith('Version Packages') ? title : `${what} released`)
    }
  })

  /** A deployment by Vercel or Railway: the example with what their listings show. */
  const byHost = (environment: string, id: number, description: string | null = null): Delivery => {
    const payload = structuredClone(deployment?.payload ?? {}) as {
      deployment_status: object
      deployment: object
    }
    const transient = { transient_environment: false, production_environment: false }
    Object.assign(payload.deployment, { ...transient, id, environment, description, ref: 'f'.repeat(40) })
    Object.assign(payload.deployment_status, { environment })
    return { kind: 'github', event: 'deployment_status', payload }
  }

  test('announces deployments by a host, but not its previews', async () => {
    const names = await payloadIn<Record<string, string[]>>('github/environments.json')
    const ada = await signUp(service)
    const intake = await madeIntake(ada, 'github')
    const expected = {
      'Production – excalidraw': ['Production', 'Hello-World (excalidraw) deployed to Production'],
      'Production – docs': ['Production', 'Hello-World (docs) deployed to Production'],
      'Production – excalidraw-package-example': [
        'Production',
        'Hello-World (excalidraw-package-example) deployed to Production',
      ],
      'Production – excalidraw-package-example-with-nextjs': [
        'Production',
        'Hello-World (excalidraw-package-example-with-nextjs) deployed to Production',
      ],
      Production: ['Production', 'Hello-World deployed to Production'],
      'overflowing-luck / production': [
        'production',
        'Hello-World (overflowing-luck) deployed to production',
      ],
      'production / web (Production)': ['production', 'Hello-World (web) deployed to production'],
      production: ['production', 'Hello-World deployed to production'],
      'github-pages': ['github-pages', 'Hello-World deployed to github-pages'],
      'cloud-integration-tests': [
        'cloud-integration-tests',
        'Hello-World deployed to cloud-integration-tests',
      ],
    }
    const announced: Record<string, unknown[]> = {}
    for (const [id, name] of Object.values(names).flat().entries()) {
      const answer = await deliver(service, intake, byHost(name, id, 'Deployed to Railway'))
      if (answer.status === 202) continue
      const { environment, message } = (await created(answer)) as unknown as Announced
      announced[name] = [environment, message]
    }
    expect(announced).toEqual(expected)
    expect(await callsOf(ada, intake)).toContain('left out: its environment is transient')
  })

  test('announces previews that were asked for', async () => {
    const ada = await signUp(service)
    const intake = await madeIntake(ada, 'github', { transient: 'on' })
    const record = await created(await deliver(service, intake, byHost('Preview – docs', 1)))
    expect(record).toMatchObject({
      environment: 'Preview',
      message: 'Hello-World (docs) deployed to Preview',
    })
  })

  test('leaves out a deployment of a pull request', async () => {
    const intake = await madeIntake(await signUp(service), 'github')
    const delivery = byHost('staging', 1)
    Object.assign((delivery.payload as { deployment: object }).deployment, { ref: 'refs/pull/12/merge' })
    expect((await deliver(service, intake, delivery)).status).toBe(202)
  })
})

describe('What other forges send', () => {
  test.each<[kind: IntakeKind, event: string, file: string, announced: Record<string, unknown>]>([
    [
      'gitlab',
      'Deployment Hook',
      'gitlab/deployment.json',
      {
        ...{ message: 'Add new file', environment: 'staging', version: '1.0.0', commit: /^279484c0.{32}$/ },
        ...{ actor: 'root', environment_url: 'https://staging.example.com' },
      },
    ],
    [
      'gitlab',
      'Release Hook',
      'gitlab/release.json',
      { message: 'example-project 1.0.0 released', version: '1.0.0', commit: /^2626dbdb.{32}$/ },
    ],
    ['forgejo', 'release', 'gitea/release.json', { message: '0.0.0', version: 'example', actor: 'example' }],
    [
      'forgejo',
      'action_run_success',
      'forgejo/run.json',
      { message: 'release the hounds', commit: /^5f7e2e5c.{32}$/, actor: 'earl-warren' },
    ],
  ])('%s is announced (%s)', async (kind, event, file, { commit, ...announced }) => {
    const intake = await madeIntake(await signUp(service), kind)
    const record = await created(await deliver(service, intake, await inFile(kind, event, file)))
    expect(record).toMatchObject(announced)
    if (commit instanceof RegExp) expect((record as { commit?: string }).commit).toMatch(commit)
  })

  test('a deployment of a merge request on GitLab is transient, whatever its environment is called', async () => {
    const ada = await signUp(service)
    const intake = await madeIntake(ada, 'gitlab')
    const delivery = await inFile('gitlab', 'Deployment Hook', 'gitlab/merge-request.json')
    for (const [environment, ref] of [
      ['mr-12', 'refs/merge-requests/12/merge'],
      ['mr-12', 'refs/merge-requests/12/head'],
      ['preview/login', 'login'],
      ['review/login', 'login'],
    ]) {
      const payload = { ...delivery.payload, environment, ref }
      expect((await deliver(service, intake, { ...delivery, payload })).status).toBe(202)
    }
    expect(await listed(ada)).toEqual([])
    const asked = await madeIntake(ada, 'gitlab', { transient: 'on' })
    await created(await deliver(service, asked, delivery))
  })

  test('an account of a program is no actor', async () => {
    const intake = await madeIntake(await signUp(service), 'gitlab')
    const delivery = await inFile('gitlab', 'Deployment Hook', 'gitlab/deployment.json')
    for (const [id, [username, actor]] of [
      ['project_7_bot_1f', undefined],
      ['group_12_bot', undefined],
      ['project_bot', 'project_bot'],
    ].entries()) {
      const payload = { ...delivery.payload, deployment_id: id, user: { username } }
      const record = await created(await deliver(service, intake, { ...delivery, payload }))
      expect((record as unknown as Announced).actor).toBe(actor)
    }
  })
})

describe('Flux', () => {
  const file = (name: string) => inFile('flux', 'kustomize-controller', `flux/${name}.json`)
  const onWebapp = { url: 'https://github.com/ada/webapp', environment: 'production' }
  const commit = '731f7eaddfb6af01cb2173e18f0f75b0ba780ef1'

  test.each<[name: string, announced: object]>([
    ['kustomization', { message: 'secrets deployed', commit: 'd11dc3159634606cafccb94cb9c2a22d3fbe90e7' }],
    [
      'kustomization-with-groups',
      { message: 'webapp deployed to production', environment: 'production', commit },
    ],
    [
      'oci',
      {
        ...onWebapp,
        message: 'webapp v1.2.0 deployed to production',
        version: 'v1.2.0',
        commit: '279484c09fbe69ededfced8c1bb6e6d24616b468',
      },
    ],
    ['helm-install', { ...onWebapp, message: 'webapp 6.3.5 deployed to production', version: '6.3.5' }],
    ['helm-upgrade', { message: 'podinfo 6.6.1 deployed', version: '6.6.1' }],
    ['helm-upgrade-by-2.1', { message: 'appnamehere 0.1.3+2 deployed', version: '0.1.3+2' }],
    [
      'helm-rollback',
      { ...onWebapp, message: 'webapp rolled back to 6.3.5 in production', version: '6.3.5' },
    ],
  ])('announces what it did: %s', async (name, announced) => {
    const ada = await signUp(service)
    const record = await created(await deliver(service, await madeIntake(ada, 'flux'), await file(name)))
    expect(record).toMatchObject(announced)
  })

  test.each(['change-set', 'health-check', 'failed', 'helm-upgrade-failed'])(
    'announces nothing else: %s',
    async (name) => {
      const ada = await signUp(service)
      const intake = await madeIntake(ada, 'flux')
      expect((await deliver(service, intake, await file(name))).status).toBe(202)
      expect(await callsOf(ada, intake)).toContain('None yet')
    },
  )

  test('keeps what a version says after its plus, unless it is the digest of the chart', async () => {
    const delivery = await file('helm-upgrade')
    const intake = await madeIntake(await signUp(service), 'flux')
    const digest = `sha256:0cc9a8446c95${'f'.repeat(52)}`
    for (const [metadata, version] of [
      [{ revision: '6.6.1+0cc9a8446c95', 'oci-digest': digest }, '6.6.1'],
      [{ revision: '6.6.1+0cc9a8446c95', 'helm.toolkit.fluxcd.io/oci-digest': digest }, '6.6.1'],
      [{ revision: '6.6.1+build.5', 'oci-digest': digest }, '6.6.1+build.5'],
      [{ revision: '6.6.1+0cc9', 'oci-digest': digest }, '6.6.1+0cc9'],
      [{ revision: '0.0.2+eb02f2ecb66c' }, '0.0.2+eb02f2ecb66c'],
    ] as const) {
      const payload = { ...delivery.payload, timestamp: crypto.randomUUID(), metadata }
      const record = await created(await deliver(service, intake, { ...delivery, payload }))
      expect((record as unknown as Announced).version).toBe(version)
    }
  })

  test('reads revisions of older releases, of tags and of artifacts', async () => {
    const delivery = await file('kustomization')
    const intake = await madeIntake(await signUp(service), 'flux')
    const digest = 'f'.repeat(64)
    for (const [revision, told] of [
      [`main/${commit}`, { version: undefined, commit }],
      [`v2.0.0/${commit}`, { version: 'v2.0.0', commit }],
      [`refs/tags/v3.0.0@sha1:${commit}`, { version: 'v3.0.0', commit }],
      [`sha1:${commit}`, { version: undefined, commit }],
      [`latest@sha256:${digest}`, { version: undefined, commit: undefined }],
      [`sha256:${digest}`, { version: undefined, commit: undefined }],
    ] as const) {
      const payload = { ...delivery.payload, metadata: { revision } }
      const record = await created(await deliver(service, intake, { ...delivery, payload }))
      const { version, commit } = record as unknown as Announced
      expect({ version, commit }).toEqual(told)
    }
  })

  test('announces a state once, however often its event comes, and again after a rollback', async () => {
    const ada = await signUp(service)
    const intake = await madeIntake(ada, 'flux')
    const delivery = await file('kustomization')
    const send = async (digit: string, message = 'Reconciliation finished in 1s, next run in 1m0s') => {
      const metadata = { env: 'production', revision: `v1@sha1:${digit.repeat(40)}` }
      const payload = { ...delivery.payload, message, metadata }
      return (await deliver(service, intake, { ...delivery, payload })).status
    }
    const answers = []
    for (const digit of 'aaabbaaba') answers.push(await send(digit))
    expect(answers).toEqual([201, 202, 202, 201, 202, 201, 202, 201, 201])
    const commits = (await listed(ada)).map((one) => String(one.commit).slice(0, 1))
    expect(commits.toReversed().join('')).toBe('ababa')
    // Events that say nothing new are not listed either.
    expect((await callsOf(ada, intake)).split('announced').length - 1).toBe(5)
    const current = await service.fetch(`/api/deployments?user=${ada.username}&limit=1`)
    expect(await current.json()).toMatchObject({ deployments: [{ commit: 'a'.repeat(40) }] })
  })

  test('announces each state once also beyond the rate of its owner', async () => {
    const slow = await startService({ RATE_LIMIT_PER_MINUTE: '1' })
    try {
      const ada = await signUp(slow)
      const intake = await madeIntake(ada, 'flux')
      const delivery = await file('kustomization')
      const answers = []
      for (const digit of 'abbaab') {
        const payload = { ...delivery.payload, metadata: { revision: `v1@sha1:${digit.repeat(40)}` } }
        answers.push((await deliver(slow, intake, { ...delivery, payload })).status)
      }
      expect(answers).toEqual([201, 202, 202, 202, 202, 202])
      const page = textOf(await (await ada.get(intake.settings)).text(), '#intake')
      expect(page).toContain('3 calls wait')
      const recordWaiting = waitingRecorder(slow.db, { ratePerMinute: 1 })
      for (let n = 0; n < 4; n += 1) {
        await query(slow.db, sql`update deployments set deployed_at = deployed_at - interval '1 minute'`)
        await recordWaiting()
      }
      const list = await slow.fetch(`/api/deployments?user=${ada.username}`)
      const { deployments } = (await list.json()) as { deployments: { commit: string }[] }
      expect(deployments.map(({ commit }) => commit[0]).toReversed()).toEqual([...'abab'])
    } finally {
      await slow.close()
    }
  })

  test('does not announce again what was withdrawn', async () => {
    const ada = await signUp(service)
    const intake = await madeIntake(ada, 'flux')
    const delivery = await file('kustomization')
    const { id } = await created(await deliver(service, intake, delivery))
    await ada.send(`/${ada.username}/${id}/delete`, {})
    expect(await listed(ada)).toEqual([])
    expect((await deliver(service, intake, delivery)).status).toBe(202)
    expect(await listed(ada)).toEqual([])
  })

  test('lists an event that is left out once', async () => {
    const ada = await signUp(service)
    const intake = await madeIntake(ada, 'flux', { environments: 'staging' })
    for (let n = 0; n < 3; n += 1) await deliver(service, intake, await file('kustomization-with-groups'))
    const calls = await callsOf(ada, intake)
    expect(calls.split('production is not among the environments')).toHaveLength(2)
  })

  test('is 401 without the right signature', async () => {
    const intake = await madeIntake(await signUp(service), 'flux')
    const delivery = await file('kustomization')
    for (const signature of ['', 'sha256=', `sha256=${'0'.repeat(64)}`, 'sha512=0']) {
      const headers = { 'X-Signature': signature }
      expect((await deliver(service, intake, delivery, { headers })).status).toBe(401)
    }
  })
})

test('each kind of intake has a payload here', () => {
  expect(Object.keys(intakeKinds).toSorted()).toEqual(['flux', 'forgejo', 'github', 'gitlab'])
})

function isPublished(payload: object): boolean {
  const { action, release } = payload as { action?: string; release?: { draft: boolean } }
  return action === 'published' && release?.draft === false
}

function isSuccess(payload: object): boolean {
  return (payload as { deployment_status?: { state?: string } }).deployment_status?.state === 'success'
}
