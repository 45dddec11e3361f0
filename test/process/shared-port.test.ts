import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createPostgresDatabase } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'
import { followFeed } from '../support/live/follower.ts'
import { signUpPoster } from '../support/people.ts'
import { doorOf, endOf, freePort, metricsUrlOf, type Process, startProcess } from '../support/process.ts'

describe('Processes of one port', () => {
  const port = String(freePort())
  const address = `http://127.0.0.1:${port}`
  const started: Process[] = []
  let database: Awaited<ReturnType<typeof createPostgresDatabase>>

  beforeAll(async () => {
    database = await createPostgresDatabase()
  })
  afterAll(async () => {
    for (const { child } of started) {
      child.kill('SIGKILL')
      await child.exited
    }
    await database.drop()
  })

  function start(settings: Record<string, string> = { REUSE_PORT: 'on' }): Process {
    const process = startProcess({
      DATABASE_URL: database.url,
      PORT: port,
      STREAMS_PER_ADDRESS: '1000',
      METRICS_PORT: '0',
      ...settings,
    })
    started.push(process)
    return process
  }

  test('are only those that all ask for it', async () => {
    const first = start()
    await first.url
    const { code, output } = await endOf(start({}))
    expect([code, output]).toEqual([1, expect.stringContaining('is in use. Stop what uses it, or set PORT.')])
    first.child.kill('SIGTERM')
    await first.child.exited

    const alone = start({})
    await alone.url
    const refused = await endOf(start())
    expect([refused.code, refused.output]).toEqual([
      1,
      expect.stringContaining(
        'is in use. Stop what uses it, or start it with REUSE_PORT=on and as the same user,',
      ),
    ])
    alone.child.kill('SIGTERM')
    await alone.child.exited
  })

  test('share all connections, and are replaced in turn: nothing announced is lost or doubled, and watchers miss nothing', async () => {
    const processes = [start(), start(), start()]
    await Promise.all(processes.map(({ url }) => url))
    const ada = await signUpPoster(doorOf(address))
    const followers = Array.from({ length: 30 }, () => followFeed(address))
    await eventually('all follow', () => followers.every(({ connections }) => connections === 1))
    const held = await Promise.all(processes.map(watchersOf))
    expect(held.reduce((sum, count) => sum + count)).toBe(30)
    // Chance gives about 10 to each, and must leave none without any.
    expect(Math.min(...held)).toBeGreaterThan(0)

    const acknowledged: number[] = []
    let isOver = false
    const writers = Array.from({ length: 4 }, async (_, writer) => {
      for (let n = 0; !isOver; n += 1) {
        const key = `${writer}-${n}`
        let id: number | null = null
        // A connection that waits to be accepted is cut if the kernel does not pass it on; the key makes a retry safe.
        while (id === null) id = await announce(key)
        acknowledged.push(id)
        await Bun.sleep(100)
      }
    })
    for (const old of processes) {
      await start().url
      old.child.kill('SIGTERM')
      expect((await endOf(old)).code).toBe(0)
    }
    isOver = true
    await Promise.all(writers)

    const due = acknowledged.toSorted((a, b) => a - b)
    expect(new Set(due).size).toBe(due.length)
    await eventually('all have the last', () => followers.every(({ ids }) => ids.at(-1) === due.at(-1)))
    await Promise.all(followers.map((follower) => follower.stop()))
    for (const { ids } of followers) expect(ids).toEqual(due)

    async function announce(key: string): Promise<number | null> {
      const response = await ada.announce({ message: key }, { 'Idempotency-Key': key }).catch(() => null)
      // A slow machine may also refuse one.
      if (response === null || response.status === 503) return null
      expect(response.status).toBe(201)
      return ((await response.json()) as { id: number }).id
    }
  })
})

async function watchersOf(process: Process): Promise<number> {
  const text = await (await fetch(await metricsUrlOf(process))).text()
  return Number(/^shipfeed_watchers (\d+)$/m.exec(text)?.[1])
}
