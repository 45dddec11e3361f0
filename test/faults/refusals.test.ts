import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import postgres from 'postgres'
import { testDatabaseUrl } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'
import { type Poster, signUpPoster } from '../support/people.ts'
import { type FaultyService, startFaultyService } from '../support/postgres/faulty-service.ts'

/**
 * How a server refuses to answer, and the statements that begin and end this, on open and new connections.
 */
const refusals: readonly (readonly [name: string, begin: string, end: string])[] = [
  ['is read-only', 'alter database DB set default_transaction_read_only = on', 'alter database DB reset all'],
  [
    'accepts no connections',
    'alter database DB allow_connections false',
    'alter database DB allow_connections true',
  ],
  ['was renamed', 'alter database DB rename to DB_away', 'alter database DB_away rename to DB'],
]

describe('A database', () => {
  let faulty: FaultyService
  let poster: Poster
  let server: postgres.Sql
  beforeAll(async () => {
    faulty = await startFaultyService()
    poster = await signUpPoster(faulty.service)
    server = postgres(testDatabaseUrl, { max: 1, onnotice: () => {} })
  })
  afterAll(async () => {
    await faulty.close()
    await server.end()
  })

  test.each(refusals)(
    'that %s is an outage, and is used again as soon as that is over',
    async (_, begin, end) => {
      await alter(begin)
      for (let n = 0; n < 5; n += 1) {
        const refused = await poster.announce({ message: 'In vain' })
        expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '2'])
        expect(faulty.service.logged.filter((line) => line.includes('"stack"'))).toEqual([])
      }
      await alter(end)
      await eventually(
        'it is taken again',
        async () => (await poster.announce({ message: 'Again' })).status === 201,
      )
    },
  )

  test('whose disk is full says so', async () => {
    const direct = postgres(faulty.directUrl, { max: 1, onnotice: () => {} })
    await direct.unsafe(`
      create function no_space() returns trigger language plpgsql as $$
      begin raise 'could not extend file: No space left on device' using errcode = 'disk_full'; end $$;
      create trigger no_space before insert on deployments execute function no_space()`)
    const refused = await poster.announce({ message: 'In vain' })
    expect(refused.status).toBe(503)
    expect(await refused.json()).toMatchObject({
      message: 'The disk of the database is full, so nothing new is accepted. Try again later.',
    })
    await direct`drop trigger no_space on deployments`
    expect((await poster.announce({ message: 'Again' })).status).toBe(201)
    await direct.end()
  })

  /**
   * As an operator does it: all clients are disconnected, but at the end they must notice the change by
   * themselves.
   */
  async function alter(statement: string): Promise<void> {
    const name = new URL(faulty.directUrl).pathname.slice(1)
    await eventually(statement, async () => {
      if (!/reset|true/.test(statement)) {
        await server`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${name}`
      }
      // Postgres refuses this while anybody is connected, and clients may reconnect at once.
      return await server.unsafe(statement.replaceAll('DB', name)).then(
        () => true,
        () => false,
      )
    })
  }
})
