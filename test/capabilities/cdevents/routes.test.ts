import { describe, expect, test } from 'bun:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { tokenFrom } from '../../../src/domain/account/token.ts'
import { payloadIn } from '../../fixtures/files.ts'
import { type Body, created, expectError, invalid, json } from '../../support/api.ts'
import { cdevent, eventVersions, type Predicate, predicates, schemaOf } from '../../support/cdevents.ts'
import { eventually } from '../../support/eventually.ts'
import { openRaw } from '../../support/http.ts'
import { textOf } from '../../support/markup.ts'
import { type Poster, signUpPoster } from '../../support/people.ts'
import { startService, useService } from '../../support/service.ts'

const digest = '0b31b1c02ff458ad9b7b81cbdf8f028bd54699fa151f221d1e8de6817db93427'
const service = await useService({ RATE_LIMIT_PER_MINUTE: '0' })
const ada = await signUpPoster(service)

/** Both modes of CloudEvents: the event within its envelope, or the envelope in headers. */
const modes = {
  structured: (event: unknown): [Body, Record<string, string>] => [
    {
      type: 'application/cloudevents+json; charset=utf-8',
      bytes: JSON.stringify({ specversion: '1.0', id: '1', source: '/a', type: 'b', data: event }),
    },
    {},
  ],
  binary: (event: unknown) => [json(event), { 'ce-specversion': '1.0', 'ce-id': '1', 'ce-type': 'b' }],
} satisfies Record<string, (event: unknown) => [Body, Record<string, string>]>

type Mode = keyof typeof modes

const post = (event: unknown, mode: Mode = 'structured', headers = {}, poster: Poster = ada) => {
  const [body, own] = modes[mode](event)
  return poster.post(body, { ...own, ...headers })
}

const sentences: Readonly<Record<Predicate, string>> = {
  deployed: 'engine deployed to production',
  upgraded: 'engine upgraded in production',
  published: 'engine published in production',
  rolledback: 'engine rolled back in production',
}

const kinds = predicates.flatMap((predicate) =>
  eventVersions.flatMap((version) =>
    (['structured', 'binary'] as const).map((mode) => [predicate, version, mode] as const),
  ),
)

describe('a CDEvent as its schema has it becomes an announcement:', () => {
  test.each(kinds)('%s of version %s in %s mode', async (predicate, version, mode) => {
    const event = cdevent(predicate, version)
    expect(new Ajv2020().validate(schemaOf(predicate, version), event)).toBeTrue()
    const record = await created(await post(event, mode))
    expect(record).toMatchObject({
      message: sentences[predicate],
      url: null,
      category: null,
      environment: 'production',
      ...(predicate === 'published' ? {} : { version: 'v2.4.0' }),
    })
    expect(Object.keys(record)).not.toContain('commit')
  })

  // The files of the specification share one id, so each is from another user.
  test.each([
    ['deployed', 'mySubject123 deployed to test123', `sha256:${digest}`],
    ['upgraded', 'mySubject123 upgraded in test123', `sha256:${digest}`],
    ['published', 'mySubject123 published in test123', undefined],
    ['rolledback', 'mySubject123 rolled back in test123', `sha256:${digest}`],
  ])("as the specification's own example of %s", async (predicate, message, version) => {
    const event = await payloadIn(`cdevents/service_${predicate}.json`)
    for (const mode of ['structured', 'binary'] as const) {
      const record = await created(await post(event, mode, {}, await signUpPoster(service)))
      expect(record).toMatchObject({ message, environment: 'test123', url: null, project: 'mySubject123' })
      expect((record as { version?: string }).version).toBe(version as string)
    }
  })

  test("except the specification's example of a removed service", async () => {
    expect((await post(await payloadIn('cdevents/service_removed.json'))).status).toBe(202)
  })

  test('with a message and a link of its own', async () => {
    const customData = { message: 'fix: login', url: 'https://github.com/ada/engine/pull/1', other: 1 }
    const record = await created(await post(cdevent('deployed', '0.3.0', { customData })))
    expect(record).toMatchObject({ ...{ message: 'fix: login', category: 'bug_fix' }, url: customData.url })
  })

  test('with a project, an actor and an address of its own', async () => {
    const customData = {
      ...{ project: 'shop/checkout', actor: 'grace', environment_url: 'https://shop.example' },
      url: 'https://github.com/ada/mono',
    }
    const poster = await signUpPoster(service)
    const event = cdevent('deployed', '0.3.0', { customData })
    expect(await created(await post(event, 'structured', {}, poster))).toMatchObject(customData)
  })

  test.each([
    ['engine', {}, 'engine'],
    ['@ada-engine_2.x', {}, '@ada-engine_2.x'],
    ['engine', { url: '' }, 'engine'],
    ['engine', { url: 'https://github.com/ada/engine' }, undefined],
    ['engine', { project: 'shop' }, 'shop'],
    ['deployment/engine', {}, undefined],
    ['engine eu', {}, undefined],
    ['/engine', {}, undefined],
    ['x'.repeat(101), {}, undefined],
    ['271069a8-fc18-44f1-b38f-9d70a1695819', {}, undefined],
  ])('of the project that %p names, with %p', async (id, customData, project) => {
    const poster = await signUpPoster(service)
    const event = cdevent('deployed', '0.3.0', { service: id, customData })
    const record = await created(await post(event, 'structured', {}, poster))
    expect((record as { project?: string }).project).toBe(project)
  })

  test('whatever its custom data is otherwise', async () => {
    for (const customData of ['bWVzc2FnZQ==', {}, { message: null, url: null }]) {
      const record = await created(await post(cdevent('deployed', '0.3.0', { customData })))
      expect(record.message).toBe(sentences.deployed)
    }
  })

  test('with the version of its package, decoded', async () => {
    const versions = {
      'pkg:oci/app@sha256%3A0b31': 'sha256:0b31',
      'pkg:npm/%40angular/core@12.3.1#dist': '12.3.1',
      'pkg:npm/@angular/core': undefined,
      'pkg:generic/app?download_url=https://a@b/c': undefined,
      'pkg:generic/app@1%zz': '1%zz',
      [`pkg:oci/engine@sha256%3A${'a'.repeat(64)}?tag=v1.4.0`]: 'v1.4.0',
      [`pkg:oci/engine@sha256:${'a'.repeat(64)}`]: `sha256:${'a'.repeat(64)}`,
      'pkg:oci/engine?tag=v1.4.0': 'v1.4.0',
      'engine@v1': undefined,
    }
    for (const [artifactId, version] of Object.entries(versions)) {
      const record = await created(await post(cdevent('deployed', '0.3.0', { artifactId })))
      expect([artifactId, record.version as string | undefined]).toEqual([artifactId, version])
    }
  })

  test.each([
    ['pkg:github/ada/engine@v1', 'https://github.com/ada/engine'],
    ['pkg:gitlab/ada/sub/engine', 'https://gitlab.com/ada/sub/engine'],
    [
      'pkg:npm/engine@1?vcs_url=git%2Bhttps://x:y@git.example/ada/engine.git%40v1%23src',
      'https://git.example/ada/engine',
    ],
    [
      'pkg:npm/engine@1?vcs_url=git%2Bssh://git@git.example:2222/ada/engine.git',
      'https://git.example/ada/engine',
    ],
    ['pkg:npm/engine@1?vcs_url=git@git.example:ada/engine.git', 'https://git.example/ada/engine'],
    ['pkg:generic/engine@1.0?vcs_url=git+https://github.com/ada/plus.git', 'https://github.com/ada/plus'],
    ['pkg:generic/engine@1?vcs_url=https://git.example/%zz&vcs_url=x', 'https://git.example/%zz'],
    ['pkg:github/ada/engine@v1?vcs_url=https://git.example/a/b', 'https://git.example/a/b'],
    ['pkg:oci/engine@v1?repository_url=ghcr.io/ada/engine', 'https://ghcr.io/ada/engine'],
    ['pkg:maven/a/b@1?repository_url=https://maven.example/x', 'https://maven.example/x'],
    // A value that is no link cannot be announced, and is passed over.
    ['pkg:npm/engine@1?vcs_url=file:///srv/engine&repository_url=localhost', 'https://ci.example/run/7'],
    ['pkg:generic/engine@1', 'https://ci.example/run/7'],
  ])('with the link that %s gives, if it has none of its own', async (artifactId, url) => {
    const event = cdevent('deployed', '0.3.0', { artifactId })
    const subject = { ...event.subject, source: 'https://ci.example/run/7' }
    expect((await created(await post({ ...event, subject }))).url).toBe(url)
    const customData = { url: 'https://own.example/', commit: 'c0ffee1' }
    const record = await created(
      await post({ ...event, context: { ...event.context, id: `x${url}` }, subject, customData }),
    )
    expect(record).toMatchObject(customData)
  })

  test('whose environment is not said, where it may be left out', async () => {
    const { context, subject } = cdevent('published', '0.1.1')
    const record = await created(await post({ context, subject: { ...subject, content: {} } }))
    expect(record.message).toBe('engine published')
    expect(Object.keys(record)).not.toContain('environment')
  })
})

describe('the same event again', () => {
  test.each(['short', 'x'.repeat(400), 'größe'])('is a retry, by its source and id: %s', async (id) => {
    const event = cdevent('deployed', '0.3.0', { id })
    const first = await created(await post(event))
    const second = await post(event, 'binary')
    expect(second.headers.get('idempotent-replayed')).toBe('true')
    expect(await created(second)).toEqual(first)
    const elsewhere = await post(cdevent('deployed', '0.3.0', { id, source: '/ci/2' }))
    expect(elsewhere.headers.has('idempotent-replayed')).toBeFalse()
    await expectError(
      await post(cdevent('deployed', '0.3.0', { id, service: 'other' })),
      422,
      'idempotency_key_reused',
    )
  })

  test('is another announcement where a header says so', async () => {
    const event = cdevent('deployed', '0.3.0')
    const ids: number[] = []
    for (const key of ['a', 'b', 'a']) {
      ids.push((await created(await post(event, 'structured', { 'Idempotency-Key': key }))).id)
    }
    expect(ids[1]).not.toBe(ids[0])
    expect(ids[2]).toBe(ids[0])
  })
})

describe('what is refused names the member', () => {
  const valid = cdevent('deployed', '0.3.0')
  test.each([
    ['dev.cdevents.service.deployed.0.4.0'],
    ['dev.cdevents.service.deployed.1.3.0'],
    ['com.github.push'],
    [7],
  ])('of the type %s, and says which are accepted', async (type) => {
    const event = { ...valid, context: { ...valid.context, type } }
    for (const mode of Object.keys(modes) as Mode[]) {
      expect(await invalid(await post(event, mode))).toEqual({
        'context.type': [
          'must be dev.cdevents.service.deployed, .upgraded, .published or .rolledback, of version 0.1 to 0.3',
        ],
      })
    }
  })

  test('of all that is missing at once', async () => {
    const event = { context: { type: 'dev.cdevents.service.deployed.0.3.0', id: 7 }, subject: {} }
    expect(Object.keys(await invalid(await post(event)))).toEqual([
      ...['context.id', 'context.source', 'subject.id', 'subject.content.environment.id'],
    ])
    for (const nothing of [undefined, null, 'text', [], 7]) {
      expect(Object.keys(await invalid(await post(nothing)))).toEqual(['context.type'])
    }
  })

  test('of all that cannot be announced at once', async () => {
    const event = cdevent('deployed', '0.3.0', {
      environment: 'production (eu)',
      artifactId: `pkg:oci/a@${'1'.repeat(129)}`,
      customData: {
        ...{ message: ' ', url: 'ftp://a.example', project: '/a', actor: 'a@b.example' },
        environment_url: 'a.example',
      },
    })
    expect(Object.keys(await invalid(await post(event))).toSorted()).toEqual([
      ...['customData.actor', 'customData.environment_url', 'customData.message', 'customData.project'],
      ...['customData.url', 'subject.content.artifactId'],
      'subject.content.environment.id',
    ])
    expect(await invalid(await post(cdevent('deployed', '0.3.0', { customData: { message: 7 } })))).toEqual({
      'customData.message': ['must be a string'],
    })
    const tooLong = cdevent('deployed', '0.3.0', { service: 'x'.repeat(4096) })
    expect(Object.keys(await invalid(await post(tooLong)))).toEqual(['subject.id'])
  })
})

test('a member that is read for a link or a version has at most 2,048 characters', async () => {
  const event = (more: object) => cdevent('deployed', '0.3.0', { ...more, environment: 'production' })
  const withSource = (source: string) => {
    const valid = event({})
    return { ...valid, subject: { ...valid.subject, source } }
  }
  for (const [member, fits, longer] of [
    ['subject.source', withSource('a'.repeat(2_048)), withSource('a@'.padEnd(2_049, '.'))],
    [
      'subject.content.artifactId',
      event({ artifactId: 'a'.repeat(2_048) }),
      event({ artifactId: 'é'.repeat(2_049) }),
    ],
    ['context.source', event({ source: '/'.repeat(2_048) }), event({ source: '/'.repeat(2_049) })],
    ['context.id', event({ id: 'a'.repeat(2_048) }), event({ id: 'a'.repeat(2_049) })],
  ] as const) {
    await created(await post(fits))
    expect(await invalid(await post(longer))).toEqual({ [member]: ['must be at most 2048 characters'] })
  }
})

test('a token that does not work is refused before the event has even arrived', async () => {
  const { socket, text } = openRaw(service.url, [
    ...['POST /api HTTP/1.1', 'Host: shipfeed.test', 'Content-Type: application/cloudevents+json'],
    ...[`Authorization: Bearer ${tokenFrom(new Uint8Array(32).fill(8))}`, 'Content-Length: 60000', '', '{'],
  ])
  await eventually('it is refused', () => text().startsWith('HTTP/1.1 401 '))
  socket.destroy()
})

describe('a valid event of another kind is accepted and not announced:', () => {
  const valid = cdevent('deployed', '0.3.0')
  const others = [
    ...['dev.cdevents.service.removed.0.3.0', 'dev.cdevents.build.finished.0.2.0-draft'],
    ...['dev.cdevents.testcaserun.started.1.0.0', 'dev.cdeventsx.acme-service.deployed.0.1.0'],
  ]
  test.each(others)('%s', async (type) => {
    for (const mode of Object.keys(modes) as Mode[]) {
      await expectNothing(await post({ context: { ...valid.context, type } }, mode))
    }
  })

  test('what only its envelope names, in both modes', async () => {
    const envelope = { specversion: '1.0', id: '7', source: '/forge', type: 'com.github.push' }
    const structured = (more: object): Body => ({
      type: 'application/cloudevents+json',
      bytes: JSON.stringify({ ...envelope, ...more }),
    })
    for (const more of [{ data: { ref: 'main' } }, { data: [] }, {}, { data_base64: 'AAAA' }]) {
      await expectNothing(await ada.post(structured(more)))
    }
    const headers = { 'ce-specversion': '1.0', 'ce-id': '7', 'ce-source': '/forge', 'ce-type': envelope.type }
    await expectNothing(await ada.post(json({ ref: 'main' }), headers))
    const { 'ce-id': _, ...broken } = headers
    await invalid(await ada.post(json({ ref: 'main' }), broken))
  })

  test('but only with a token and within the rate', async () => {
    const limited = await startService({ RATE_LIMIT_PER_MINUTE: '1' })
    const eve = await signUpPoster(limited)
    const headers = {
      'ce-specversion': '1.0',
      'ce-id': '7',
      'ce-source': '/forge',
      'ce-type': 'com.github.push',
    }
    const unknown = tokenFrom(new Uint8Array(32).fill(7))
    const stranger = await eve.post(json({}), { ...headers, Authorization: `Bearer ${unknown}` })
    expect(stranger.status).toBe(401)
    await expectNothing(await eve.post(json({}), headers))
    await created(await eve.announce({ message: 'x' }))
    expect((await eve.post(json({}), headers)).status).toBe(429)
    await limited.close()
  })

  async function expectNothing(response: Response): Promise<void> {
    expect([response.status, await response.text()]).toEqual([202, ''])
    expect(response.headers.has('content-type')).toBeFalse()
  }
})

test('an encoded event is refused with the place where it belongs', async () => {
  const envelope = { specversion: '1.0', id: '1', source: '/a', type: 'dev.cdevents.service.deployed.0.3.0' }
  const bytes = JSON.stringify({
    ...envelope,
    data_base64: btoa(JSON.stringify(cdevent('deployed', '0.3.0'))),
  })
  expect(await invalid(await ada.post({ type: 'application/cloudevents+json', bytes }))).toEqual({
    data_base64: ['must be the event as JSON, in data'],
  })
})

test('of all of these, the owner is shown only what was refused', async () => {
  const owner = await signUpPoster(service)
  const other = {
    context: { ...cdevent('deployed', '0.3.0').context, type: 'dev.cdevents.build.started.0.2.0' },
  }
  const unknown = { context: { ...other.context, type: 'dev.cdevents.service.deployed.9.0.0' } }
  for (const event of [other, unknown, other]) await post(event, 'structured', {}, owner)
  await eventually('the refusal is there', async () => {
    const panel = textOf(await (await owner.get('/settings')).text(), '#refusals')
    return panel.match(/context\.type/g)?.length === 1
  })
})

test('a batch is refused, and the answer says what to send', async () => {
  const response = await ada.post({ type: 'application/cloudevents-batch+json', bytes: '[]' })
  expect(response.status).toBe(415)
  expect((await response.json()) as object).toEqual({
    error: 'unsupported_media_type',
    message: 'Send events one at a time, as application/cloudevents+json.',
  })
})

test('without a token, nothing about it is revealed', async () => {
  const response = await service.fetch('/api', {
    method: 'POST',
    headers: { 'Content-Type': 'application/cloudevents+json' },
    body: '{}',
  })
  expect(response.status).toBe(401)
})
