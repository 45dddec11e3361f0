import { describe, expect, test } from 'bun:test'
import { created, expectError, expectUnauthorized, json, post } from '../support/api.ts'
import { storedDeployments } from '../support/deployments.ts'
import { eventually } from '../support/eventually.ts'
import { openRaw } from '../support/http.ts'
import { sameOrigin, signUpPoster } from '../support/people.ts'
import { useService } from '../support/service.ts'

/** Bodies of every size and framing, over the wire. */
const service = await useService({ RATE_LIMIT_PER_MINUTE: '1' })
const fresh = await signUpPoster(service)

const sizes = [64 * 1024 + 1, 2_000_000, 10_000_000]
const framings = {
  'with its length': (bytes: Uint8Array) => bytes,
  'in chunks': (bytes: Uint8Array) => new Blob([bytes]).stream(),
}
const large = sizes.flatMap((size) =>
  Object.entries(framings).map(([framing, frame]) => [size, framing, frame] as const),
)

describe.each(large)('a body of %d bytes, %s,', (size, _, frame) => {
  const body = () => ({ type: 'application/json', bytes: frame(Buffer.alloc(size, 'a')) })

  test('is reported last: method, token, rate and media type come first', async () => {
    const put = { method: 'PUT', body: body().bytes }
    await expectError(await service.fetch('/api', put), 405, 'method_not_allowed')
    await expectUnauthorized(await post(service, null, body()))
    const spent = await signUpPoster(service)
    await created(await spent.announce({ message: 'The one of this minute' }))
    await expectError(await post(service, spent.token, body()), 429, 'rate_limited')
    await expectError(
      await post(service, fresh.token, { ...body(), type: 'text/plain' }),
      415,
      'unsupported_media_type',
    )
    await expectError(await post(service, fresh.token, body()), 413, 'payload_too_large')
  })

  test('is too large for a form', async () => {
    const type = { 'Content-Type': 'application/x-www-form-urlencoded' }
    const form = { method: 'POST', headers: { ...sameOrigin, ...type }, body: body().bytes }
    expect((await service.fetch('/sign-in', form)).status).toBe(413)
  })
})

const head = (token: string, ...more: string[]) => [
  'POST /api HTTP/1.1',
  'Host: localhost',
  `Authorization: Bearer ${token}`,
  'Content-Type: application/json',
  ...more,
  '',
]

test.each([
  ['its length', 'Content-Length: 99999999999', ''],
  ['its first chunk', 'Transfer-Encoding: chunked', '174876E7FF\r\n'],
])('a body that never ends is refused by %s, and not waited for', async (_, framing, start) => {
  const connection = openRaw(service.url, [...head(fresh.token, framing), start + 'a'.repeat(70_000)])
  await eventually('it is refused', () => connection.text().startsWith('HTTP/1.1 413 '))
  expect(connection.text()).toContain('"error":"payload_too_large"')
  connection.socket.destroy()
})

test('a body that does not arrive whole within 12 s, however it drips, ends with its connection', async () => {
  const framings = ['Content-Length: 60000', 'Transfer-Encoding: chunked']
  const slow = framings.flatMap((framing) => ['', '1\r\na\r\n'].map((drop) => ({ framing, drop })))
  const connections = slow.map(({ framing, drop }) => {
    const connection = openRaw(service.url, [...head(fresh.token, framing), ''])
    const dripping = setInterval(() => connection.socket.write(drop), 1_000)
    connection.socket.on('close', () => clearInterval(dripping))
    return connection
  })
  const texts = await Promise.all(connections.map(({ ended }) => ended.catch(() => '')))
  expect(texts.filter((text) => text.startsWith('HTTP/1.1 2'))).toEqual([])
})

test('a caller that goes away in the middle of a body records nothing', async () => {
  const poster = await signUpPoster(service)
  for (const framing of ['Content-Length: 60000', 'Transfer-Encoding: chunked']) {
    const { socket } = openRaw(service.url, [...head(poster.token, framing), 'f\r\n{"message":"a"}\r\n'])
    await Bun.sleep(50)
    socket.destroy()
  }
  await eventually('both are over', () => service.pendingRequests() === 0)
  expect(await storedDeployments(service.db, poster.username)).toEqual([])
})

describe('what comes after the last chunk', () => {
  const chunks = '10\r\n{"message":"abc"\r\n1\r\n}\r\n0\r\n'

  test.each([
    ['nothing', '\r\n', 201, 1],
    // Bun answers these two by itself. A trailer is good HTTP: a Bun that takes it changes this row.
    ['a trailer', 'X: y\r\n\r\n', 400, 0],
    ['garbage', 'garbage', 400, 0],
  ])('decides whether the announcement is recorded: %s', async (_, end, status, recorded) => {
    const poster = await signUpPoster(service)
    const connection = openRaw(service.url, [
      ...head(poster.token, 'Transfer-Encoding: chunked'),
      chunks + end,
    ])
    await eventually('it is answered', () => connection.text() !== '')
    connection.socket.destroy()
    expect(connection.text()).toStartWith(`HTTP/1.1 ${status} `)
    await eventually('it is over', () => service.pendingRequests() === 0)
    expect(await storedDeployments(service.db, poster.username)).toHaveLength(recorded)
  })

  test('is not waited for: Bun has ended the body, and what comes later cannot undo it', async () => {
    const poster = await signUpPoster(service)
    const connection = openRaw(service.url, [...head(poster.token, 'Transfer-Encoding: chunked'), chunks])
    await eventually('it is answered', () => connection.text() !== '')
    connection.socket.write('garbage')
    const text = await connection.ended
    // If Bun waits for the end of the framing one day, the first of the two answers is gone.
    expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 201', 'HTTP/1.1 400'])
  })
})

test('an empty JSON body lacks its message, as an empty object does', async () => {
  for (const bytes of ['', '{}']) {
    const response = await post(service, fresh.token, { ...json({}), bytes })
    expect(await response.json()).toMatchObject({ details: { message: ["can't be blank"] } })
  }
})

test('after all of these bodies, the log tells of no fault', () => {
  expect(service.logged).toEqual([])
})
