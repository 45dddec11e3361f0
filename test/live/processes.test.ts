import { afterAll, beforeAll, expect, test } from 'bun:test'
import postgres from 'postgres'
import { eventually, untilReady } from '../support/eventually.ts'
import { type Follower, followFeed } from '../support/live/follower.ts'
import { needing } from '../support/needs/needs.ts'
import { type Poster, signUpPoster } from '../support/people.ts'
import { type PostgresCluster, type Shutdown, startPostgresCluster } from '../support/postgres/cluster.ts'
import { doorOf, freePort, type Process, startProcess } from '../support/process.ts'

/** In a rush, ids are assigned while other transactions commit. */
const rushMs = 5
/** Slow enough that a watcher that is away for seconds misses at most the hundred events of a catch-up. */
const slowMs = 300

needing('postgresql').describe('Two processes on one Postgres', () => {
  const ports = [freePort(), freePort()] as const
  let cluster: PostgresCluster | undefined
  let direct: postgres.Sql
  let processes: Process[] = []
  let urls: string[]
  let posters: Poster[]
  let followers: Follower[]
  const acknowledged: number[] = []
  let pauseMs = rushMs
  let isOver = false

  beforeAll(async () => {
    cluster = await startPostgresCluster()
    direct = postgres(cluster.url, { max: 1, onnotice: () => {} })
    processes = ports.map(start)
    urls = await Promise.all(processes.map(({ url }) => url))
    await Promise.all(urls.map((url) => untilReady(doorOf(url))))
    posters = await Promise.all(
      urls.map((url, n) => signUpPoster(doorOf(url), { username: `on-${ports[n]}` })),
    )
  })

  afterAll(async () => {
    for (const { child } of processes) child.kill('SIGKILL')
    // Runs even if beforeAll failed halfway.
    await direct?.end()
    await cluster?.remove()
  })

  test('each of 60 watchers sees every id once and in order, through every fault', async () => {
    followers = Array.from({ length: 60 }, (_, n) =>
      followFeed(urls[n % 2] ?? '', n < 50 ? '/feed/live' : '/api/deployments/live'),
    )
    await eventually('all follow', () => followers.every(({ connections }) => connections > 0))
    const writers = Array.from({ length: 8 }, (_, n) => write(n))
    await untilSeen(500)
    pauseMs = slowMs
    await untilSeen(8)

    await killFirst()
    await untilSeen(20)
    await cutListeners()
    await untilSeen(20)
    await restartDatabase('fast')
    await untilSeen(20)
    // A crash of the database: only what it had written before its acknowledgement comes back.
    await restartDatabase('immediate')
    await untilSeen(20)
    isOver = true
    await Promise.all(writers)

    const stored = await direct<{ id: number }[]>`select id::int from deployments order by id`
    const due = stored.map(({ id }) => id)
    await eventually('all have the last one', () => followers.every(({ ids }) => ids.at(-1) === due.at(-1)))
    await Promise.all(followers.map((follower) => follower.stop()))
    expect(followers.map(({ gaps }) => gaps)).toEqual(followers.map(() => 0))
    for (const { ids } of followers) expect(ids).toEqual(due)
    expect(await listed('/api/deployments?limit=100', 'deployments', 'older')).toEqual(due)
    expect(await listed('/feed.json', 'items', 'next_url')).toEqual(due)
    expect(acknowledged.length).toBeGreaterThan(500)
    expect(acknowledged.filter((id) => !due.includes(id))).toEqual([])
    expect(new Set(acknowledged).size).toBe(acknowledged.length)
  })

  /** The ids of all pages of a list, oldest first; the processes take turns in answering. */
  async function listed(first: string, items: string, next: string): Promise<number[]> {
    const ids: number[] = []
    for (let path: string | undefined = first, n = 0; path !== undefined; n += 1) {
      const page = (await (await fetch(`${urls[n % 2]}${path}`)).json()) as Record<string, unknown>
      const found = page[items] as { id: number | string }[]
      // A reader's id is the address of the page.
      ids.push(...found.map(({ id }) => Number(String(id).split('/').at(-1))))
      path = page[next] ? String(page[next]).replace('http://shipfeed.test', '') : undefined
    }
    return ids.toReversed()
  }

  /** Announces until the test is over, retrying each announcement at both processes until it is acknowledged. */
  async function write(writer: number): Promise<void> {
    for (let n = 0; !isOver; n += 1) {
      const key = { 'Idempotency-Key': `${writer}:${n}` }
      const poster = posters[(writer + n) % 2]
      let id: number | null = null
      while (id === null) id = await announce(poster, key)
      acknowledged.push(id)
      await Bun.sleep(pauseMs)
    }
  }

  async function announce(poster: Poster | undefined, key: Record<string, string>): Promise<number | null> {
    const response = await poster?.announce({ message: 'Through every fault' }, key).catch(() => null)
    const body = (await response?.json().catch(() => null)) as { id: number } | null
    if (response?.status === 201 && body !== null) return body.id
    expect(response?.status ?? 503).toBe(503)
    await Bun.sleep(100)
    return null
  }

  /** Waits until every watcher has seen this many more. */
  async function untilSeen(count: number): Promise<void> {
    const goals = followers.map(({ ids }) => ids.length + count)
    const isThere = () => followers.every(({ ids }, n) => ids.length >= (goals[n] ?? 0))
    await eventually(`all see ${count} more`, isThere)
  }

  async function killFirst(): Promise<void> {
    const before = followers.map(({ connections }) => connections)
    processes[0]?.child.kill('SIGKILL')
    await processes[0]?.child.exited
    processes[0] = start(ports[0])
    await processes[0].url
    await eventually('those of the first come back', () =>
      followers.every(({ connections }, n) => n % 2 === 1 || connections > (before[n] ?? 0)),
    )
  }

  async function cutListeners(): Promise<void> {
    const open = () => direct`
      select from pg_stat_activity where datname = current_database() and application_name = 'shipfeed bell'`
    // The one that was started again may serve before it listens, and the database may still have that of the dead one.
    await eventually('both listen', async () => (await open()).length === 2)
    const cut = await direct`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'shipfeed bell'`
    expect(cut).toHaveLength(2)
    await eventually('both listen again', async () => (await open()).length === 2)
  }

  async function restartDatabase(shutdown: Shutdown): Promise<void> {
    await cluster?.restart(shutdown)
    expect(processes.map(({ child }) => child.exitCode)).toEqual([null, null])
    await Promise.all(urls.map((url) => untilReady(doorOf(url))))
  }

  function start(port: number): Process {
    const DATABASE_URL = cluster?.url ?? ''
    return startProcess({ DATABASE_URL, PORT: String(port), STREAMS_PER_ADDRESS: '1000' })
  }
})
