import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { query } from '../../support/database.ts'
import { signUp, signUpPoster } from '../../support/people.ts'
import { useService } from '../../support/service.ts'

const service = await useService()

/** Room for the test machine on the young side of a bound; domain/freshness is tested to the millisecond. */
const slack = '1 minute'

const bounds = [
  ['3 hours', 'Fresh', 'Warm', '2 hours ago', '3 hours ago'],
  ['24 hours', 'Warm', 'Active', '23 hours ago', '1 day ago'],
  ['168 hours', 'Active', 'Quiet', '6 days ago', '7 days ago'],
  ['720 hours', 'Quiet', 'Stale', '29 days ago', '30 days ago'],
] as const

test.each(bounds)(
  'at %s by the clock of the database, %s becomes %s',
  async (bound, young, old, before, after) => {
    expect(await badgeOfAge(`${bound}`, `- interval '${slack}'`)).toBe(`${young}, ${before}`)
    expect(await badgeOfAge(`${bound}`, `+ interval '1 second'`)).toBe(`${old}, ${after}`)
  },
)

test('ahead of the clock is Fresh', async () => {
  expect(await badgeOfAge('-1 hour', '')).toBe('Fresh, just now')
})

test('the latest of a filter counts for it, not the latest of all', async () => {
  const poster = await signUpPoster(service)
  await poster.announce({ message: 'x', url: 'https://old.example' })
  await query(
    service.db,
    sql`update latest_deployments set deployed_at = now() - interval '48 hours'
      where user_id = (select id from users where username = ${poster.username})`,
  )
  await poster.announce({ message: 'x', url: 'https://new.example' })
  expect(await nameOf(`/badge/${poster.username}.svg`)).toBe('Fresh, just now')
  expect(await nameOf(`/badge/${poster.username}.svg?url=old.example`)).toBe('Active, 2 days ago')
  await poster.announce({ message: 'x', url: 'https://old.example' })
  expect(await nameOf(`/badge/${poster.username}.svg?url=old.example`)).toBe('Fresh, just now')
})

async function badgeOfAge(age: string, difference: string): Promise<string> {
  const { username } = await signUp(service)
  const deployedAt = sql.raw(`now() - (interval '${age}' ${difference})`)
  await query(
    service.db,
    sql`
      with posted as (
        insert into deployments (user_id, message, scopes, deployed_at)
        select id, 'x', '{""}', ${deployedAt} from users where username = ${username}
        returning user_id, deployed_at
      )
      insert into latest_deployments (user_id, scope, deployed_at) select user_id, '', deployed_at from posted`,
  )
  return await nameOf(`/badge/${username}.svg`)
}

async function nameOf(path: string): Promise<string> {
  const image = await (await service.fetch(path)).text()
  return /<title>deployed: (.*?)<\/title>/.exec(image)?.[1] ?? image
}
