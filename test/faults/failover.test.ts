import { afterEach, expect, test } from 'bun:test'
import postgres from 'postgres'
import { eventually, patience, untilReady } from '../support/eventually.ts'
import { followFeed } from '../support/live/follower.ts'
import { needing } from '../support/needs/needs.ts'
import { signUpPoster } from '../support/people.ts'
import { type PostgresCluster, startPostgresCluster } from '../support/postgres/cluster.ts'
import { doorOf, type Process, startProcess } from '../support/process.ts'

/** What is promised of each answer, and of a promoted primary (docs/decisions.md#operation). */
const answerMs = 2_500
const foundMs = 2_000

type Answer = {
  readonly process: number
  readonly status: number
  readonly retryAfter: string | null
  readonly endedAt: number
  readonly ms: number
}

needing('postgresql').describe('With two hosts', () => {
  let processes: Process[] = []
  let servers: PostgresCluster[] = []
  afterEach(async () => {
    for (const { child } of processes) child.kill('SIGKILL')
    for (const server of servers.toReversed()) await server.remove()
  })

  test.each<[string, (primary: PostgresCluster) => unknown]>([
    ['is killed', (primary) => primary.stop('immediate')],
    ['is frozen, and stays so', (primary) => primary.freeze()],
  ])(
    'two processes are on a standby within 2 s of its promotion when the primary %s, and nothing is lost',
    async (_, fail) => {
      const { urls, primary, standby } = await startAll()
      const posters = await Promise.all(
        urls.map((url, n) => signUpPoster(doorOf(url), { username: `poster-${n}` })),
      )
      const paths = ['/feed/live', '/api/deployments/live']
      const followers = paths.flatMap((path) => urls.map((url) => followFeed(url, path)))
      await eventually('all follow', () => followers.every(({ connections }) => connections > 0))
      const acknowledged: [key: string, id: number][] = []
      const answers: Answer[] = []
      const badges = new Set<string | null>()
      let isOver = false
      const load = [0, 1, 2, 3].flatMap((n) => [post(n), readBadge(n)])
      await Bun.sleep(500)
      await eventually('some are acknowledged', () => acknowledged.length > 0)

      await fail(primary)
      await Bun.sleep(1_300)
      const acknowledgedBefore = acknowledged.length
      await standby.promote()
      const promotedAt = performance.now()
      await Bun.sleep(foundMs)
      isOver = true
      await Promise.all(load)

      for (const n of [0, 1]) {
        const first = answers.find(
          ({ process, status, endedAt }) => process === n && status === 201 && endedAt > promotedAt,
        )
        expect((first?.endedAt ?? Number.NaN) - promotedAt).toBeLessThan(patience(foundMs))
      }
      expect(answers.filter(({ ms }) => ms > patience(answerMs))).toEqual([])
      const others = answers.filter(({ status }) => status !== 200 && status !== 201)
      expect(others.filter(({ status, retryAfter }) => status !== 503 || retryAfter !== '2')).toEqual([])
      expect([...badges].sort()).toEqual([null, 'unavailable'])

      const stored = await storedOn(standby)
      expect(acknowledgedBefore).toBeGreaterThan(0)
      expect(
        acknowledged.filter(([key, id]) => stored.find(({ id: one }) => one === id)?.message !== key),
      ).toEqual([])
      expect(new Set(stored.map(({ message }) => message)).size).toBe(stored.length)
      const ids = stored.map(({ id }) => id)
      await eventually('all have the last one', () => followers.every((one) => one.ids.at(-1) === ids.at(-1)))
      await Promise.all(followers.map((follower) => follower.stop()))
      for (const follower of followers) expect([follower.gaps, follower.ids]).toEqual([0, ids])
      for (const { output } of processes) {
        expect(output()).toContain(`Shipfeed now uses the database server ${new URL(standby.url).host}`)
        expect(output()).not.toContain('"event":"fault"')
      }

      /** Announces one thing after the other, retrying each with its key until it is acknowledged. */
      async function post(writer: number): Promise<void> {
        for (let n = 0; !isOver; n += 1) {
          const key = `${writer}:${n}`
          let response: Response | null = null
          while (response?.status !== 201) {
            response = await timed(
              writer % 2,
              async () =>
                (await posters[writer % 2]?.announce(
                  { message: key },
                  { 'Idempotency-Key': key },
                )) as Response,
            )
            if (response.status === 201)
              acknowledged.push([key, ((await response.json()) as { id: number }).id])
            await Bun.sleep(30)
          }
        }
      }

      async function readBadge(reader: number): Promise<void> {
        while (!isOver) {
          const response = await timed(reader % 2, () => fetch(`${urls[reader % 2]}/badge/poster-0.svg`))
          badges.add(response.headers.get('x-shipfeed-status'))
          await Bun.sleep(30)
        }
      }

      async function timed(process: number, ask: () => Promise<Response>): Promise<Response> {
        const begunAt = performance.now()
        const response = await ask()
        const body = await response.text()
        const endedAt = performance.now()
        const retryAfter = response.headers.get('retry-after')
        answers.push({ process, status: response.status, retryAfter, endedAt, ms: endedAt - begunAt })
        return new Response(body, response)
      }
    },
  )

  /** A primary that waits for its standby, and two processes that know of both. */
  async function startAll() {
    const primary = await startPostgresCluster({ settings: { synchronous_commit: 'remote_apply' } })
    servers = [primary]
    const standby = await primary.addStandby('standby')
    servers = [primary, standby]
    await primary.configure({ synchronous_standby_names: 'standby' })
    const hosts = servers.map(({ url }) => new URL(url).host)
    const DATABASE_URL = `postgres://postgres@${hosts.join(',')}/postgres`
    processes = [1, 2].map(() => startProcess({ DATABASE_URL, STREAMS_PER_ADDRESS: '1000' }))
    const urls = await Promise.all(processes.map(({ url }) => url))
    await Promise.all(urls.map((url) => untilReady(doorOf(url))))
    return { primary, standby, urls }
  }
})

async function storedOn({ url }: PostgresCluster): Promise<readonly { id: number; message: string }[]> {
  const direct = postgres(url, { max: 1 })
  const rows = await direct<{ id: number; message: string }[]>`
    select id::int, message from deployments order by id`
  await direct.end()
  return rows
}
