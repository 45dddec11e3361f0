import { beforeEach, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import type { Db } from '../../../src/database/db.ts'
import { Unavailable } from '../../../src/database/errors.ts'
import { emptyDatabase, query, runBy } from '../../support/database.ts'
import { passMidnight } from '../../support/eventually.ts'
import { elementsOf, textOf } from '../../support/markup.ts'
import type { Poster } from '../../support/people.ts'
import { signUpPoster } from '../../support/people.ts'
import { startService, useService } from '../../support/service.ts'

const service = await useService()
let ada: Poster
beforeEach(async () => {
  await emptyDatabase(service.db)
  ada = await signUpPoster(service)
})

/** A wall of a server that has just started, because one that runs keeps it for two seconds. */
async function wall(search = ''): Promise<string> {
  await using fresh = await startService()
  const response = await fresh.fetch(`/wall${search}`)
  expect(response.status).toBe(200)
  return await response.text()
}

const idsOn = (page: string) =>
  elementsOf(page)
    .filter(({ attributes }) => attributes.class === 'entry')
    .map(({ attributes }) => Number(attributes.id?.replace('deployment-', '')))

async function announce(message: string, path: string | null = null): Promise<number> {
  return await ada.announced(path === null ? { message } : { message, url: `https://${path}` })
}

async function age(id: number, hours: number): Promise<void> {
  await query(
    service.db,
    sql`update deployments set deployed_at = now() - make_interval(hours => ${hours}) where id = ${id}`,
  )
}

test('holds the newest of a part of the feed, and the six latest projects', async () => {
  const ids: number[] = []
  for (let n = 0; n < 23; n += 1) ids.unshift(await announce(`fix: ${n}`, `github.com/ada/p${n}/pull/1`))
  const page = await wall()
  expect(idsOn(page)).toEqual(ids.slice(0, 21))
  expect(textOf(page, '.wall-projects bdi')).toBe('ada/p22ada/p21ada/p20ada/p19ada/p18ada/p17')
  expect(idsOn(await wall(`?user=${ada.username}&target=github.com/ada/p2`))).toEqual(ids.slice(20, 21))
  expect(idsOn(await wall('?category=feature'))).toEqual([])
})

test('counts today in UTC, with new deployments, and omits withdrawn ones at the next full count', async () => {
  await passMidnight()
  const old = await announce('fix: long ago')
  await age(old, 60)
  for (let n = 0; n < 3; n += 1) await announce(`fix: ${n}`)
  expect(textOf(await wall(), '#wall-count')).toBe('3')
  const [later, count] = [await announce('fix: later'), async () => textOf(await wall(), '#wall-count')]
  expect(await count()).toBe('4')
  expect((await ada.send(`/${ada.username}/${later}/delete`, {})).status).toBe(303)
  expect(await count()).toBe('3')
})

test('refuses a filter as the lists do', async () => {
  expect((await service.fetch('/wall?user=nobody-here')).status).toBe(404)
  expect((await service.fetch('/wall?target=github.com/ada')).status).toBe(400)
  expect((await service.fetch('/wall?category=none')).status).toBe(400)
})

test('shows with ?view=environments what is live where, to whatever it was deployed', async () => {
  const deployed = { environment: 'production', version: 'v1' }
  for (const [n, path] of ['github.com/ada/engine', 'ada.dev'].entries())
    await ada.announce({ message: 'x', url: `https://${path}`, ...deployed, version: `v${n}` })
  const rowsOn = async (search: string) => textOf(await wall(search), '.live-where tbody th')
  expect(await rowsOn(`?view=environments&user=${ada.username}`)).toBe('ada.devada/engine')
  expect(await rowsOn(`?view=environments&user=${ada.username}&target=github.com`)).toBe('ada/engine')
  for (const query of ['view=environments&target=github.com', `view=other&user=${ada.username}`])
    expect((await service.fetch(`/wall?${query}`)).status).toBe(400)
  const filtered = `/wall?view=environments&user=${ada.username}&env=production`
  expect((await service.fetch(filtered)).status).toBe(400)
})

test('shows with ?view=environments and no user those of everyone, or of chosen projects', async () => {
  const other = await signUpPoster(service)
  const deployed = { message: 'x', environment: 'production', version: 'v1' }
  for (const poster of [ada, other]) await poster.announce({ ...deployed, url: 'https://ada.dev' })
  await ada.announce({ ...deployed, url: 'https://github.com/ada/engine', environment: 'staging' })
  const rowsOn = async (search: string) =>
    textOf(await wall(`?view=environments${search}`), '.live-where th a.quiet')
  const [adas, others] = [ada, other].map(({ name }) => name)
  expect(await rowsOn('')).toBe(`ada/engine${adas}ada.dev${others}ada.dev${adas}`)
  expect(await rowsOn('&env=staging')).toBe(`ada/engine${adas}`)
  const project = (poster: Poster) => `&project=${poster.username}/ada.dev`
  expect(await rowsOn(project(ada))).toBe(`ada.dev${adas}`)
  expect(await rowsOn(project(ada) + project(other))).toBe(`ada.dev${others}ada.dev${adas}`)
  for (const query of [`?view=environments&user=${ada.username}${project(other)}`, `?${project(ada)}`])
    expect((await service.fetch(`/wall${query}`)).status).toBe(400)
})

test('is read at most once in two seconds, however many screens ask', async () => {
  let reads = 0
  const count: Db['write'] = (work) => {
    reads += 1
    return service.db.write(work)
  }
  await using fresh = await startService({}, runBy(count, service.db))
  await Promise.all(Array.from({ length: 50 }, () => fresh.fetch('/wall')))
  // The list, the projects and the count.
  expect(reads).toBe(3)
})

test('a failure is not asked for again by every screen, either', async () => {
  let reads = 0
  const fail: Db['write'] = async () => {
    reads += 1
    throw new Unavailable('down')
  }
  await using fresh = await startService({}, runBy(fail, service.db))
  for (let n = 0; n < 5; n += 1) expect((await fresh.fetch('/wall')).status).toBe(503)
  expect(reads).toBe(3)
})
