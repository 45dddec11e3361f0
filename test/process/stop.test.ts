import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { eventually, patience } from '../support/eventually.ts'
import { openRaw } from '../support/http.ts'
import { password, sameOrigin, signUpPoster } from '../support/people.ts'
import { doorOf, endOf, type Process, startProcess, temporaryDirectory } from '../support/process.ts'

const directory = temporaryDirectory()
const dataDir = join(directory.path, 'data')
/** The end of a service that waits for a request. That takes seconds, in which the other tests run. */
let endOfWaiting: ReturnType<typeof terminate>

beforeAll(async () => {
  const another = join(directory.path, 'another')
  const waiting = startProcess({ DATA_DIR: another })
  const socket = await sendHalfARequest(await waiting.url)
  endOfWaiting = terminate(waiting).finally(() => socket.destroy())
})
afterAll(directory.remove)

describe('SIGTERM', () => {
  test('under load: what is in flight is answered, the exit is 0 within 6 s, nothing acknowledged is lost', async () => {
    const service = start()
    const door = doorOf(await service.url)
    const poster = await signUpPoster(door)

    const acknowledged: number[] = []
    const writers = Array.from({ length: 4 }, async () => {
      for (;;) {
        const response = await poster.announce({ message: 'Under load' }).catch(() => null)
        if (response === null) return
        expect(response.status).toBe(201)
        acknowledged.push(((await response.json()) as { id: number }).id)
      }
    })
    await eventually('there is traffic', () => acknowledged.length > 20)
    // Hashing their passwords takes them a while.
    const signUps = Array.from({ length: 4 }, (_, n) =>
      door.fetch('/sign-up', {
        method: 'POST',
        headers: sameOrigin,
        body: new URLSearchParams({ username: `late-${n}`, name: 'Late', password }),
      }),
    )
    // This is sent after the others, so once it is answered, they have arrived.
    await (await door.fetch('/healthz')).text()
    const { code, milliseconds } = await terminate(service)
    expect((await Promise.all(signUps)).map(({ status }) => status)).toEqual(Array(4).fill(303))
    expect(code).toBe(0)
    expect(milliseconds).toBeLessThan(patience(6_000))
    await Promise.all(writers)

    const again = start()
    const reopened = doorOf(await again.url)
    for (const id of acknowledged) {
      expect((await reopened.fetch(`/${poster.username}/${id}`)).status).toBe(200)
    }
    expect((await reopened.fetch('/late-3')).status).toBe(200)
    expect((await terminate(again)).code).toBe(0)
  })

  test('ends the streams of those who watch, and does not wait for connections that are only kept open', async () => {
    const service = start()
    const door = doorOf(await service.url)
    await Promise.all(
      Array.from({ length: 20 }, async () => (await door.fetch('/', { keepalive: true })).text()),
    )
    const stream = await door.fetch('/feed/live')
    expect(stream.headers.get('content-type')).toStartWith('text/event-stream')
    const { code, milliseconds } = await terminate(service)
    expect(code).toBe(0)
    expect(milliseconds).toBeLessThan(patience(3_000))
    await stream.text()
  })

  test('sent twice in one moment, as npm and the terminal do, is one', async () => {
    const service = start()
    await service.url
    service.child.kill('SIGINT')
    service.child.kill('SIGINT')
    expect((await terminate(service)).code).toBe(0)
  })

  test('sent again later ends it at once', async () => {
    const service = start()
    const socket = await sendHalfARequest(await service.url)
    service.child.kill('SIGTERM')
    await eventually('it ends', () => service.output().includes('Shipfeed is stopping'))
    await Bun.sleep(700)
    expect(service.child.exitCode).toBeNull()
    const { code, milliseconds } = await terminate(service)
    expect(code).toBe(1)
    expect(milliseconds).toBeLessThan(patience(1_000))
    socket.destroy()
  })

  test('does not wait for ever for a request that never comes to its end', async () => {
    const { code, milliseconds } = await endOfWaiting
    expect(code).toBe(0)
    expect(milliseconds).toBeLessThan(patience(6_000))
  })
})

function start(): Process {
  return startProcess({ DATA_DIR: dataDir })
}

async function terminate(service: Process): Promise<{ code: number; milliseconds: number }> {
  const begin = performance.now()
  service.child.kill('SIGTERM')
  const { code } = await endOf(service)
  return { code, milliseconds: performance.now() - begin }
}

/** Sends a request whose body stops halfway, on a connection that stays open, and waits until it has begun. */
async function sendHalfARequest(url: string): Promise<Socket> {
  const form = ['Content-Type: application/x-www-form-urlencoded', 'Content-Length: 100']
  const head = ['POST /sign-in HTTP/1.1', 'Host: localhost', 'Sec-Fetch-Site: same-origin', ...form]
  const { socket, text } = openRaw(url, [...head, 'Expect: 100-continue', '', 'username='])
  await eventually('it goes on', () => text().startsWith('HTTP/1.1 100 '))
  return socket
}
