import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { rowsOf } from '../../../src/database/db.ts'
import { postImport, release } from '../../support/api.ts'
import { eventually, patience } from '../../support/eventually.ts'
import { connectTo } from '../../support/local/database.ts'
import { postgresOf } from '../../support/local/machine.ts'
import { type Poster, signUpPoster } from '../../support/people.ts'
import { doorOf, endOf, type Process, startProcess, temporaryDirectory } from '../../support/process.ts'

/** More than the connections that such calls may use. */
const endlessCalls = 8
/** The service asks its Postgres more often than this whether it answers. */
const endlessMs = 8_000
const idleMs = 1_000
/** No answer counts as quicker. */
const minMs = 20
/** The limit of a statement, and some time for it to end. */
const endsWithinMs = 2_500

const directory = temporaryDirectory()
const dataDir = join(directory.path, 'data')
afterAll(directory.remove)

describe('While statements on the Postgres of the service never end', () => {
  let service: Process
  let door: ReturnType<typeof doorOf>
  let poster: Poster
  beforeAll(async () => {
    service = startProcess({ DATA_DIR: dataDir })
    door = doorOf(await service.url)
    poster = await signUpPoster(door)
  })
  afterAll(async () => {
    service.child.kill('SIGTERM')
    await endOf(service)
  })

  test.each([
    ['sleep', 'perform pg_sleep(3600);'],
    ['run in circles', 'loop end loop;'],
  ])('because they %s, everything else goes on, and they end by their timeout', async (_, endless) => {
    const { pid } = postgresOf(dataDir)
    const printed = service.output().length
    await replaceHistory(endless)
    const idle = await usualFor(idleMs)
    const until = performance.now() + endlessMs
    const calling = Array.from({ length: endlessCalls }, async () => {
      while (performance.now() < until) {
        const answer = await postImport(door, poster, [release(1, '2020-01-01T00:00:00Z')])
        expect([answer.status, answer.headers.get('Retry-After')]).toEqual([503, expect.any(String)])
      }
    })
    await eventually('they run', async () => (await endlessNow()) > 2)
    const meanwhile = await usualFor(until - performance.now())
    expect(meanwhile).toBeLessThan(patience(10 * Math.max(idle, minMs)))
    await Promise.all(calling)
    await eventually('it is logged', () =>
      service.output().includes('canceling statement due to statement timeout'),
    )
    await eventually(
      'they have ended',
      async () => (await endlessNow()) === 0,
      patience(endsWithinMs) / 1_000,
    )
    expect(postgresOf(dataDir).pid).toBe(pid)
    expect(service.output().slice(printed)).not.toContain('"event":"database_')
  })

  /**
   * The milliseconds in which nine of ten of these are answered, each rightly. One may wait for a busy machine; those that
   * wait for a place beside the endless ones would be many.
   */
  async function usualFor(ms: number): Promise<number> {
    const taken: number[] = []
    for (const until = performance.now() + ms; performance.now() < until; ) {
      const asks = [
        [() => poster.announce({ message: 'Meanwhile' }), 201],
        [() => door.fetch(`/badge/${poster.username}.json`), 200],
        [() => door.fetch('/healthz'), 200],
        [() => door.fetch('/readyz'), 200],
      ] as const
      for (const [ask, status] of asks) {
        const begin = performance.now()
        const answer = await ask()
        await answer.text()
        taken.push(performance.now() - begin)
        expect(answer.status).toBe(status)
      }
    }
    return taken.toSorted((one, other) => one - other)[Math.floor(taken.length * 0.9)] ?? 0
  }
})

/** Only after the start, which installs the functions of the release. */
async function replaceHistory(body: string): Promise<void> {
  using connection = await connectTo(dataDir)
  await connection.queries.execute(
    sql.raw(`
      create or replace function record_history(owner bigint, items json, rule smallint, is_trial boolean) returns json
      language plpgsql as $$ begin ${body} end $$`),
  )
}

/** How many of these statements run. */
async function endlessNow(): Promise<number> {
  using connection = await connectTo(dataDir)
  const [row] = await rowsOf<{ running: number }>(
    connection.queries,
    sql`
      select count(*) as running from pg_stat_activity
      where state = 'active' and query like '%record_history(%' and pid <> pg_backend_pid()`,
  )
  return row?.running ?? 0
}
