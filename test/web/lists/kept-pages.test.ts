import { beforeAll, describe, expect, test } from 'bun:test'
import { gunzipSync } from 'node:zlib'
import { sql } from 'drizzle-orm'
import { pruneDeployments } from '../../../src/capabilities/pruning/store.ts'
import { timestampOf } from '../../../src/domain/time.ts'
import { addImport, release } from '../../support/api.ts'
import { query } from '../../support/database.ts'
import { eventually, passMidnight } from '../../support/eventually.ts'
import { entriesOf, textOf } from '../../support/markup.ts'
import { type Poster, signUpPoster } from '../../support/people.ts'
import { useService } from '../../support/service.ts'

const service = await useService({ METRICS_PORT: '0' })
const { db } = service

const url = 'https://github.com/ada/kept'

let poster: Poster
beforeAll(async () => {
  poster = await signUpPoster(service)
})

const pageOf = async ({ username }: Poster, headers?: Record<string, string>) =>
  await (await service.fetch(`/${username}`, headers === undefined ? {} : { headers })).text()

/** How many profiles were read, which is more than their versions. */
async function profilesRead(): Promise<number> {
  return Number(/shipfeed_batch_size_sum\{\w+="profiles"\} (\d+)/.exec(await service.metrics())?.[1] ?? 0)
}

test('The page of a project that is asked for again is not read again', async () => {
  await passMidnight()
  await poster.announce({ message: 'Kept', url })
  await query(db, sql`update deployments set deployed_at = now() - interval '90 minutes'`)
  const read = async () =>
    (await service.fetch(`/${poster.username}/github.com/ada/kept`)).headers.get('etag')
  const etag = await read()
  expect(etag).toStartWith('W/')
  // A change of this table alone is not noticed, so a page that is drawn again would be another one.
  await query(db, sql`update daily_deployments set deployments = deployments + 1`)
  await query(db, sql`update target_days set deployments = deployments + 1`)
  expect(await read()).toBe(etag)
})

test('The page of a project that is asked for again says how long one has waited that is not in its list', async () => {
  await passMidnight()
  const ada = await signUpPoster(service)
  await ada.announce({ message: 'Live', url, environment: 'production' })
  const oldest = await ada.announced({ message: 'Oldest', url, environment: 'staging' })
  for (let n = 0; n < 26; n += 1) await ada.announce({ message: 'x', url, environment: 'staging' })
  await query(
    db,
    sql`
      update deployments set deployed_at = now() - case id
        when ${oldest} then interval '7 days' - interval '5 seconds' else interval '90 minutes' end`,
  )
  const words = async () =>
    textOf(await (await service.fetch(`/${ada.username}/github.com/ada/kept`)).text(), '.ahead summary')
  expect(await words()).toBe('27 ahead of production for 6 days')
  await eventually('it is a week', async () => (await words()).endsWith('for 7 days'))
})

test('The page of a project that is asked for again says how old each is that waits', async () => {
  await passMidnight()
  const ada = await signUpPoster(service)
  await ada.announce({ message: 'Live', url, environment: 'production' })
  const oldest = await ada.announced({ message: 'Oldest', url, environment: 'staging' })
  const second = await ada.announced({ message: 'Second', url, environment: 'staging' })
  for (let n = 0; n < 26; n += 1) await ada.announce({ message: 'x', url, environment: 'staging' })
  await query(
    db,
    sql`
      update deployments set deployed_at = now() - case id
        when ${oldest} then interval '36 hours' when ${second} then interval '5 hours' - interval '5 seconds'
        else interval '90 minutes' end`,
  )
  const ageOfSecond = async () => {
    const page = await (await service.fetch(`/${ada.username}/github.com/ada/kept`)).text()
    return /Second\D*(\d+ h)/.exec(textOf(page, '.ahead'))?.[1]
  }
  expect(await ageOfSecond()).toBe('4 h')
  await eventually('it is five hours', async () => (await ageOfSecond()) === '5 h')
})

describe('A profile that is asked for again', () => {
  test('is not read again, in either form, and says the moment of each request', async () => {
    await passMidnight()
    await poster.announce({ message: 'Kept' })
    const other = await signUpPoster(service)
    await pageOf(poster)
    // The word for the age of a new deployment changes within a minute.
    await query(db, sql`update deployments set deployed_at = now() - interval '90 minutes'`)
    const first = await pageOf(poster)
    const read = await profilesRead()
    const id = await other.announced({ message: 'By somebody else' })
    const again = await pageOf(poster)
    const plain = await pageOf(poster, { 'Accept-Encoding': 'identity' })
    expect(await profilesRead()).toBe(read)
    expect(again).toContain(`data-seen="${id}"`)
    const withoutMoment = (page: string) => page.replace(/ data-(now|seen)="\S+"/g, '')
    expect(withoutMoment(again)).toBe(withoutMoment(first))
    expect(withoutMoment(plain)).toBe(withoutMoment(first))
    const [, now = ''] = /data-now="(\S+)"/.exec(again) ?? []
    expect(Math.abs(Date.parse(now) - Date.now())).toBeLessThan(60_000)
  })

  test('is one member of gzip', async () => {
    const response = await fetch(`${service.url}/${poster.username}`, {
      headers: { 'Accept-Encoding': 'gzip' },
      decompress: false,
    })
    expect(response.headers.get('content-encoding')).toBe('gzip')
    expect(gunzipSync(await response.arrayBuffer()).toString()).toEndWith('</html>')
  })

  test('is 304 for a reader that has it, until something changes', async () => {
    const { headers } = await service.fetch(`/${poster.username}`)
    const etag = headers.get('etag') ?? ''
    const again = async () => {
      const response = await service.fetch(`/${poster.username}`, { headers: { 'If-None-Match': etag } })
      return [response.status, response.headers.get('etag') === etag, (await response.text()).length > 0]
    }
    expect(await again()).toEqual([304, true, false])
    expect((await poster.get(`/${poster.username}`)).headers.get('etag')).toBeNull()
    await poster.announce({ message: 'Changed' })
    expect(await again()).toEqual([200, false, true])
  })

  test('is not sent to its owner, nor as a part of it', async () => {
    await pageOf(poster)
    const own = await poster.get(`/${poster.username}`)
    expect(own.headers.get('cache-control')).toBe('no-store')
    expect(await own.text()).toContain('Sign out')
    expect(await pageOf(poster)).not.toContain('Sign out')
    const none = await service.fetch(`/${poster.username}?category=feature`)
    expect(textOf(await none.text(), '#deployments')).not.toContain('Kept')
  })

  test('changes its words when time does', async () => {
    await query(db, sql`update deployments set deployed_at = now() - interval '3599 seconds'`)
    const isAnHour = async () => textOf(await pageOf(poster), '#deployments time').startsWith('1 h')
    await eventually('its age is an hour', isAnHour)
  })
})

/** Each is to show in the very next request, twenty times. */
describe.each([
  ['profile', ''],
  ['page of a project', '/github.com/ada/kept'],
])('In the very next request, a %s that was kept shows', (_, path) => {
  let poster: Poster
  beforeAll(async () => {
    poster = await signUpPoster(service)
    for (let n = 0; n < 45; n += 1) await poster.announced({ message: `Number ${n}.`, url })
  })
  const fetched = async () => await service.fetch(`/${poster.username}${path}`)
  const pageOf = async () => await (await fetched()).text()
  const entries = async () => await entriesOf(await fetched())
  const messages = async () => (await entries()).map(({ message }) => message)

  /** Twenty times, after it was asked for twice. */
  async function twenty(act: (n: number) => Promise<unknown>, check: (n: number) => unknown): Promise<void> {
    for (let n = 0; n < 20; n += 1) {
      await pageOf()
      await pageOf()
      await act(n)
      await check(n)
    }
  }

  test('an announcement', async () => {
    await twenty(
      (n) => poster.announced({ message: `Announced ${n}.`, url }),
      async (n) => expect((await messages())[0]).toBe(`Announced ${n}.`),
    )
  })

  test('the withdrawal of one that is not the latest', async () => {
    let id = 0
    await twenty(
      async () => {
        const [, second] = await entries()
        id = second?.id ?? 0
        expect((await poster.send(`/${poster.username}/${id}/delete`, {})).status).toBe(303)
      },
      async () => {
        const shown = await entries()
        expect(shown.map((entry) => entry.id)).not.toContain(id)
      },
    )
  })

  test('a new name', async () => {
    await twenty(
      (n) => poster.send('/settings/profile', { name: `Name ${n}` }),
      async (n) => expect(await pageOf()).toContain(`Name ${n}`),
    )
  })

  test('a change by hand', async () => {
    await twenty(
      (n) => query(db, sql`update deployments set message = ${`By hand ${n}.`}`),
      async (n) => expect(await messages()).toContain(`By hand ${n}.`),
    )
  })

  const totalOf = async () => textOf(await pageOf(), '#year .hint')

  test('history, in its numbers, and its removal', async () => {
    const totals = [await totalOf()]
    const yesterday = timestampOf(new Date(Date.now() - 24 * 3_600_000))
    await addImport(service, poster, [release(1, yesterday, { url })])
    totals.push(await totalOf())
    const headers = { Authorization: `Bearer ${poster.token}` }
    await service.fetch('/api/history', { method: 'DELETE', headers })
    totals.push(await totalOf())
    expect(totals).toEqual([totals[0], expect.not.stringMatching(`^${totals[0]}$`), totals[0]] as string[])
  })

  test('a pruning, in its numbers', async () => {
    const before = await totalOf()
    await query(db, sql`update deployments set deployed_at = deployed_at - interval '1 day'`)
    await pruneDeployments(db, { before: new Date(), isDryRun: false })
    expect(await totalOf()).not.toBe(before)
  })

  test('the end of its account', async () => {
    expect((await fetched()).status).toBe(200)
    await query(
      db,
      sql`update users set username = ${`${poster.username}-was`} where username = ${poster.username}`,
    )
    expect((await fetched()).status).toBe(404)
  })
})
