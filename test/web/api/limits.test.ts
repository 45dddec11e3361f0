import { describe, expect, test } from 'bun:test'
import {
  type Body,
  bodyForms,
  created,
  expectError,
  form,
  invalid,
  json,
  multipartOf,
  part,
} from '../../support/api.ts'
import { signUpPoster } from '../../support/people.ts'
import { useService } from '../../support/service.ts'

const maxBody = 64 * 1024

const service = await useService()
const ada = await signUpPoster(service)

/** Good bodies of exactly that many bytes. */
const padded: [form: string, bodyOf: (size: number) => Body][] = [
  ['JSON', (size) => ({ type: 'application/json', bytes: '{"message":"a"}'.padEnd(size) })],
  [
    'form',
    (size) => ({ type: 'application/x-www-form-urlencoded', bytes: 'message=a&pad='.padEnd(size, 'x') }),
  ],
  [
    'multipart',
    (size) => {
      const bodyWith = (padding: number) =>
        multipartOf([part('name="message"', 'a'), part('name="pad"', 'x'.repeat(padding))])
      return bodyWith(size - (bodyWith(0).bytes as Uint8Array).length)
    },
  ],
]

describe.each(padded)('a %s body', (_, bodyOf) => {
  test.each([1000, maxBody])('of 65,536 bytes is read, also in chunks of %d', async (chunk) => {
    await created(await ada.post(bodyOf(maxBody)))
    await created(await ada.post(inChunks(bodyOf(maxBody), chunk)))
  })

  test('of one byte more is too large, and the connection goes on', async () => {
    await expectError(await ada.post(bodyOf(maxBody + 1)), 413, 'payload_too_large')
    await expectError(await ada.post(inChunks(bodyOf(maxBody + 1), 1000)), 413, 'payload_too_large')
    await created(await ada.post(bodyOf(1000)))
  })
})

/** A message in characters of other lengths is measured in domain/announcement/announcement.test.ts. */
describe('a message of 4,096 bytes of UTF-8 is taken, of one more refused and not cut', () => {
  test.each(Object.entries(bodyForms))('%s', async (_, bodyOf) => {
    for (const message of ['🚀'.repeat(1024), '\r\n'.repeat(2047).concat('ab')]) {
      expect((await created(await ada.post(bodyOf({ message })))).message).toBe(message)
      expect(await invalid(await ada.post(bodyOf({ message: `${message}.` })))).toEqual({
        message: ['must be at most 4096 bytes of UTF-8 (these are 4097)'],
      })
    }
  })

  test('written in JSON escapes, which count as what they stand for', async () => {
    const bytes = `{"message":"${'\\ud83d\\ude80'.repeat(1024)}"}`
    const record = await created(await ada.post({ type: 'application/json', bytes }))
    expect(record.message).toBe('🚀'.repeat(1024))
  })
})

describe('a url of 2,048 characters is taken, of one more refused', () => {
  const prefix = 'https://example.com/'

  test.each([
    ['segments', 'a/'.repeat((2048 - prefix.length) / 2)],
    ['what no index could hold', noise(2048 - prefix.length, 0x4e00, 20_000)],
    ['emoji', noise(2048 - prefix.length, 0x1f300, 700)],
  ])('%s', async (_, path) => {
    const url = prefix + path
    expect((await created(await ada.post(form({ message: 'a', url })))).url).toBe(url)
    expect(await invalid(await ada.post(form({ message: 'a', url: `${url}b` })))).toEqual({
      url: ['must be at most 2048 characters (these are 2049)'],
    })
  })

  test('with the longest host and the longest path', async () => {
    const host = `${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(61)}`
    const url = `https://${host}/${noise(2048 - host.length - 9, 0x4e00, 20_000)}`
    await created(await ada.post(json({ message: 'a', url })))
  })
})

/** As a stream, which goes without a Content-Length. */
function inChunks({ type, bytes }: Body, size: number): Body {
  const whole = typeof bytes === 'string' ? new TextEncoder().encode(bytes) : (bytes as Uint8Array)
  let sent = 0
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      controller.enqueue(whole.slice(sent, sent + size))
      sent += size
      if (sent >= whole.length) controller.close()
    },
  })
  return type === undefined ? { bytes: stream } : { type, bytes: stream }
}

/** Characters in an order that does not compress. */
function noise(count: number, from: number, range: number): string {
  let seed = 1
  return Array.from({ length: count }, () => {
    seed = (seed * 48_271) % 2_147_483_647
    return String.fromCodePoint(from + (seed % range))
  }).join('')
}
