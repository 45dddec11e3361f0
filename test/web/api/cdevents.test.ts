import { describe, expect, test } from 'bun:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { type Body, created, expectError, invalid, json } from '../../support/api.ts'
import { cdevent, eventVersions, type Predicate, predicates, schemaOf } from '../../support/cdevents.ts'
import { type Poster, signUpPoster } from '../../support/people.ts'
import { useService } from '../../support/service.ts'

const service = await useService({ RATE_LIMIT_PER_MINUTE: '0' })
const ada = await signUpPoster(service)

/** Both modes of CloudEvents: the event within its envelope, or beside it in headers. */
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

  test('with a message and a link of its own', async () => {
    const customData = { message: 'fix: login', url: 'https://github.com/ada/engine/pull/1', other: 1 }
    const record = await created(await post(cdevent('deployed', '0.3.0', { customData })))
    expect(record).toMatchObject({ ...{ message: 'fix: login', category: 'bug_fix' }, url: customData.url })
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
      'engine@v1': undefined,
    }
    for (const [artifactId, version] of Object.entries(versions)) {
      const record = await created(await post(cdevent('deployed', '0.3.0', { artifactId })))
      expect([artifactId, record.version as string | undefined]).toEqual([artifactId, version])
    }
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
    ['dev.cdevents.service.removed.0.3.0'],
    ['dev.cdevents.service.deployed.0.4.0'],
    ['dev.cdevents.service.deployed.1.3.0'],
    ['dev.cdevents.build.finished.0.3.0'],
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
      customData: { message: ' ', url: 'ftp://a.example' },
    })
    expect(Object.keys(await invalid(await post(event))).toSorted()).toEqual([
      ...['customData.message', 'customData.url', 'subject.content.artifactId'],
      'subject.content.environment.id',
    ])
    expect(await invalid(await post(cdevent('deployed', '0.3.0', { customData: { message: 7 } })))).toEqual({
      'customData.message': ['must be a string'],
    })
    const tooLong = cdevent('deployed', '0.3.0', { service: 'x'.repeat(4096) })
    expect(Object.keys(await invalid(await post(tooLong)))).toEqual(['subject.id'])
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

test('without a token nothing of it is told', async () => {
  const response = await service.fetch('/api', {
    method: 'POST',
    headers: { 'Content-Type': 'application/cloudevents+json' },
    body: '{}',
  })
  expect(response.status).toBe(401)
})
