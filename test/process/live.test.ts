import { afterAll, expect, test } from 'bun:test'
import { eventually, patience } from '../support/eventually.ts'
import { openEventSource } from '../support/live/event-source.ts'
import { followFeed } from '../support/live/follower.ts'
import { signUpPoster } from '../support/people.ts'
import {
  doorOf,
  endOf,
  freePort,
  type Process,
  startProcess,
  temporaryDirectory,
} from '../support/process.ts'

const directory = temporaryDirectory()
afterAll(directory.remove)

test('SIGTERM says goodbye to 200 streams, answers what is in flight and exits with 0 within 6 s; watchers who come back missed nothing', async () => {
  const port = freePort()
  const service = start(port)
  const url = await service.url
  const door = doorOf(url)
  const poster = await signUpPoster(door)
  const followers = Array.from({ length: 20 }, () => followFeed(url))
  const sources = await Promise.all(Array.from({ length: 180 }, () => openEventSource(door, '/feed/live')))
  await eventually('all follow', () => followers.every(({ connections }) => connections === 1))

  const acknowledged: number[] = []
  const writers = Array.from({ length: 4 }, async () => {
    for (;;) {
      const response = await poster.announce({ message: 'Until the end' }).catch(() => null)
      if (response === null) return
      expect(response.status).toBe(201)
      acknowledged.push(((await response.json()) as { id: number }).id)
      await Bun.sleep(20)
    }
  })
  await eventually('there is traffic', () => acknowledged.length > 20)
  const begin = performance.now()
  service.child.kill('SIGTERM')
  const { code } = await endOf(service)
  expect(code).toBe(0)
  expect(performance.now() - begin).toBeLessThan(patience(6_000))
  await Promise.all([...writers, ...sources.map(({ ended }) => ended)])
  for (const { messages } of sources) expect(messages.at(-1)?.comment).toBe('goodbye')
  // A follower that comes back while others are still leaving gets another goodbye.
  expect(Math.min(...followers.map(({ goodbyes }) => goodbyes))).toBeGreaterThan(0)

  const again = start(port)
  await again.url
  const id = await poster.announced({ message: 'And on' })
  await eventually('all have come back', () => followers.every(({ ids }) => ids.at(-1) === id))
  const due = [...acknowledged, id].sort((a, b) => a - b)
  for (const { ids, gaps } of followers) {
    expect(gaps).toBe(0)
    expect(ids).toEqual(due)
  }
  await Promise.all(followers.map((follower) => follower.stop()))
  again.child.kill('SIGTERM')
  expect((await endOf(again)).code).toBe(0)
})

test('each announcement arrives long before the next of the looks that the feed takes every five seconds', async () => {
  const service = start(freePort())
  const url = await service.url
  const poster = await signUpPoster(doorOf(url))
  const follower = followFeed(url)
  await eventually('it follows', () => follower.connections === 1)
  const delays: number[] = []
  for (const message of ['One', 'Two', 'Three']) {
    const begin = performance.now()
    const id = await poster.announced({ message })
    await eventually('it arrives', () => follower.ids.at(-1) === id)
    delays.push(performance.now() - begin)
  }
  // The first may come by chance just before a look; the next would then wait for a whole interval.
  expect(Math.min(...delays.slice(1))).toBeLessThan(2_500)
  await follower.stop()
  service.child.kill('SIGTERM')
  await endOf(service)
})

function start(port: number): Process {
  return startProcess({ DATA_DIR: directory.path, PORT: String(port), STREAMS_PER_ADDRESS: '1000' })
}
