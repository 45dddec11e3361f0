import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import postgres from 'postgres'
import { type Poster, signUpPoster } from '../support/people.ts'
import { type FaultyService, startFaultyService } from '../support/postgres/faulty-service.ts'

/** Refuses as engines do that run everything serializably; Postgres in READ COMMITTED does not. */
const refusing = `
  create sequence attempts_seen;
  create table refused (attempts int);
  create function refuse() returns trigger language plpgsql as $$ begin
    if nextval('attempts_seen') <= (select attempts from refused) then
      raise serialization_failure using message = 'could not serialize access';
    end if;
    return new;
  end $$;
  create trigger refuse before insert on deployments for each row execute function refuse();`

describe('An announcement that the database cannot serialize', () => {
  let faulty: FaultyService
  let direct: postgres.Sql
  let poster: Poster
  beforeAll(async () => {
    faulty = await startFaultyService()
    poster = await signUpPoster(faulty.service)
    direct = postgres(faulty.directUrl, { max: 1, onnotice: () => {} })
    await direct.unsafe(refusing)
  })
  afterAll(async () => {
    await direct.end()
    await faulty.close()
  })

  test.each([
    ['once is recorded at the second attempt, once', 1, 201, 2, 1],
    ['again is an outage, and not recorded', 2, 503, 2, 0],
  ])('%s', async (message, refusals, status, attempts, recorded) => {
    await direct`delete from refused`
    await direct`insert into refused values (${refusals})`
    await direct`alter sequence attempts_seen restart`
    const answer = await poster.announce({ message })
    expect(answer.status).toBe(status)
    expect(answer.headers.get('retry-after')).toBe(status === 503 ? '2' : null)
    const [seen] = await direct`select last_value::int as attempts from attempts_seen`
    expect(seen).toEqual({ attempts })
    expect(await direct`select from deployments where message = ${message}`).toHaveLength(recorded)
    expect(faulty.service.logged.filter((line) => line.includes('"stack"'))).toEqual([])
  })
})
