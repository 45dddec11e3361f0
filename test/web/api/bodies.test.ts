import { describe, expect, test } from 'bun:test'
import {
  type Body,
  created,
  expectError,
  invalid,
  json,
  multipart,
  multipartOf,
  part,
} from '../../support/api.ts'
import { storedDeployments } from '../../support/deployments.ts'
import { openRaw } from '../../support/http.ts'
import { signUpPoster } from '../../support/people.ts'
import { useService } from '../../support/service.ts'

const formType = 'application/x-www-form-urlencoded'

const service = await useService()
const ada = await signUpPoster(service)

const jsonBytes = '{"message":"Deployed"}'
const formBytes = 'message=Deployed'
const multipartBody = multipart({ message: 'Deployed' })
const [, multipartBoundary] = multipartBody.type?.split('boundary=') ?? []

describe('a media type is read', () => {
  test.each([
    ['application/json', jsonBytes],
    ['Application/JSON', jsonBytes],
    ['APPLICATION/JSON; CHARSET=UTF-8', jsonBytes],
    ['application/json;charset="utf-8"', jsonBytes],
    ['application/json ; charset=utf8', jsonBytes],
    ['application/vnd.ship.v1+json', jsonBytes],
    ['application/Problem+JSON; charset=utf-8', jsonBytes],
    [formType, formBytes],
    ['Application/X-WWW-Form-URLencoded; charset=UTF-8', formBytes],
    [`multipart/form-data; boundary=${multipartBoundary}`, multipartBody.bytes],
    [`Multipart/Form-Data; Charset=UTF-8; Boundary="${multipartBoundary}"`, multipartBody.bytes],
  ])('%s', async (type, bytes) => {
    expect(await created(await ada.post({ type, bytes }))).toMatchObject({
      message: 'Deployed',
    })
  })

  test.each(['identity', 'Identity'])('with the content encoding %s', async (encoding) => {
    await created(await ada.post(json({ message: 'a' }), { 'Content-Encoding': encoding }))
  })

  test('as FormData of a real client writes it', async () => {
    const body = new FormData()
    body.set('message', 'Deployed by a client 🚀')
    const headers = { Authorization: `Bearer ${ada.token}` }
    const record = await created(await service.fetch('/api', { method: 'POST', headers, body }))
    expect(record.message).toBe('Deployed by a client 🚀')
  })
})

describe('a media type is not supported', () => {
  test.each<[type: string | undefined, bytes: Body['bytes']]>([
    [undefined, jsonBytes],
    ['', jsonBytes],
    ['text/plain', jsonBytes],
    ['text/plain;charset=UTF-8', formBytes],
    ['text/html', jsonBytes],
    ['application/xml', formBytes],
    ['application/octet-stream', jsonBytes],
    ['application/jsonp', jsonBytes],
    ['application/json5', jsonBytes],
    ['application/x-ndjson', jsonBytes],
    ['application/+json', jsonBytes],
    ['application/json/', jsonBytes],
    ['application', jsonBytes],
    ['json', jsonBytes],
    ['*/*', jsonBytes],
    ['application/json, application/json', jsonBytes],
    ['application/json; charset=utf-16', jsonBytes],
    [`${formType}; charset=iso-8859-1`, formBytes],
    [`multipart/mixed; boundary=${multipartBoundary}`, multipartBody.bytes],
    ['constructor', jsonBytes],
    ['__proto__', jsonBytes],
  ])('%p', async (type, bytes) => {
    const body: Body = type === undefined ? { bytes } : { type, bytes }
    await expectError(await ada.post(body), 415, 'unsupported_media_type')
  })

  test.each(['gzip', 'br', 'deflate', 'identity, gzip', 'nonsense'])(
    'in the content encoding %s',
    async (encoding) => {
      const response = await ada.post(json({ message: 'a' }), {
        'Content-Encoding': encoding,
      })
      await expectError(response, 415, 'unsupported_media_type')
    },
  )

  test('if there is no body at all', async () =>
    expectError(await ada.post({ bytes: '' }), 415, 'unsupported_media_type'))
})

const invalidUtf8: [what: string, bytes: number[]][] = [
  ['a stray byte', [0xff]],
  ['a stray continuation', [0x80]],
  ['a cut sequence', [0xe2, 0x82]],
  ['an overlong NUL', [0xc0, 0x80]],
  ['an encoded surrogate', [0xed, 0xa0, 0x80]],
  ['a code point beyond the last', [0xf4, 0x90, 0x80, 0x80]],
  ['Latin-1', [0xe9, 0x74, 0xe9]],
]

describe.each(invalidUtf8)('%s is a bad request', (_, bytes) => {
  const raw = Buffer.from(bytes)
  const escaped = bytes.map((byte) => `%${byte.toString(16)}`).join('')
  const around = (before: string, after: string) =>
    Buffer.concat([Buffer.from(before), raw, Buffer.from(after)])

  test.each<[string, Body]>([
    ['JSON', { type: 'application/json', bytes: around('{"message":"a', '"}') }],
    ['a form', { type: formType, bytes: around('message=a', '') }],
    ['an escaped form', { type: formType, bytes: `message=a${escaped}` }],
    ['an unknown field of a form', { type: formType, bytes: `message=a&b=${escaped}` }],
    ['a multipart form', multipartOf([part('name="message"', around('a', 'b'))])],
    [
      'a multipart form with a file as well',
      multipartOf([part('name="log"; filename="log"', raw), part('name="message"', around('a', 'b'))]),
    ],
  ])('in %s', async (_, body) => {
    await expectError(await ada.post(body), 400, 'bad_request')
  })
})

describe('a body that cannot be parsed is a bad request', () => {
  test.each([
    ...[' ', '{', '{"message":"a"', "{'message':'a'}", '{"message":"a",}', '{"message":"a"}{}', 'NaN'],
    'message=a',
  ])('as JSON: %j', async (bytes) => {
    await expectError(await ada.post({ type: 'application/json', bytes }), 400, 'bad_request')
  })

  test('as JSON with a bare line break in the message', async () => {
    const bytes = '{"message":"one\ntwo"}'
    await expectError(await ada.post({ type: 'application/json', bytes }), 400, 'bad_request')
  })

  test.each([
    ...['message=%', 'message=100%', 'message=a%4', 'message=%zz', 'mess%=a', 'message=a&b=%'],
    'message=%u0041',
  ])('as a form: %s', async (bytes) => {
    await expectError(await ada.post({ type: formType, bytes }), 400, 'bad_request')
  })

  test.each([
    ['without a boundary', { type: 'multipart/form-data', bytes: multipartBody.bytes }],
    [
      'with the boundary of another',
      { type: 'multipart/form-data; boundary=other', bytes: multipartBody.bytes },
    ],
    ['that is empty', { ...multipartBody, bytes: '' }],
    ['that is cut', { ...multipartBody, bytes: String(multipartBody.bytes).slice(0, -20) }],
  ])('as a multipart form %s', async (_, body) => {
    await expectError(await ada.post(body), 400, 'bad_request')
  })
})

describe('JSON that is not an object', () => {
  test.each([
    '[]',
    '[{"message":"a"}]',
    '"message"',
    '42',
    'null',
    'true',
    '['.repeat(20_000) + ']'.repeat(20_000),
  ])('%p is refused because it must be one', async (bytes) => {
    expect(await invalid(await ada.post({ type: 'application/json', bytes }))).toEqual({
      message: ["can't be blank", 'the body must be a JSON object'],
    })
  })
})

describe('hostile JSON', () => {
  test('is ignored where a field is unknown, however deep', async () => {
    const deep = '['.repeat(20_000) + ']'.repeat(20_000)
    const bytes = `{"message":"Deployed","a":${deep},"b":${'{"c":'.repeat(2_000)}1${'}'.repeat(2_000)}}`
    await created(await ada.post({ type: 'application/json', bytes }))
  })

  test('gives no field through __proto__', async () => {
    const proto = '{"__proto__":{"message":"a"},"constructor":{"prototype":{"message":"a"}}}'
    const response = await ada.post({ type: 'application/json', bytes: proto })
    expect(await invalid(response)).toEqual({ message: ["can't be blank"] })
    const bytes = '{"message":"a","__proto__":{"url":"javascript:1","category":"bug"}}'
    const record = await created(await ada.post({ type: 'application/json', bytes }))
    expect(record).toMatchObject({ url: null, category: null })
  })
})

test('nothing that was refused here was recorded', async () => {
  const messages = (await storedDeployments(service.db, ada.username)).map(({ message }) => message)
  expect(new Set(messages)).toEqual(new Set(['Deployed', 'a', 'Deployed by a client 🚀']))
})

test('a control character below U+0020 in a header, but for a tab, is a 400 without a body', async () => {
  const ask = (value: string) => {
    const head = ['GET /api/deployments HTTP/1.1', 'Host: shipfeed.test', `X-Any: a${value}b`]
    return openRaw(service.url, [...head, 'Connection: close', '', '']).ended
  }
  for (const character of ['\0', '\u0001', '\u001b', '\u001f']) {
    expect(await ask(character)).toMatch(/^HTTP\/1\.1 400 .*\r\n\r\n$/s)
  }
  expect(await ask('\t')).toStartWith('HTTP/1.1 200 ')
})
