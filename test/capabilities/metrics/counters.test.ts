import { describe, expect, test } from 'bun:test'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Unavailable } from '../../../src/database/errors.ts'
import { describedMetrics } from '../../support/configuration.ts'
import { failingDatabase } from '../../support/database.ts'
import { eventually } from '../../support/eventually.ts'
import { seriesOf } from '../../support/metrics.ts'
import { needing } from '../../support/needs/needs.ts'
import { signUpPoster } from '../../support/people.ts'
import { temporaryDirectory } from '../../support/process.ts'
import { type Service, startService } from '../../support/service.ts'

const measured = { METRICS_PORT: '0' }

/** The series of a name that are not 0. */
async function counted(service: Service, name: string): Promise<Record<string, number>> {
  const series = [...seriesOf(await service.metrics())]
  return Object.fromEntries(series.filter(([key, value]) => key.startsWith(`${name}{`) && value !== 0))
}

test('known requests give exactly these counts', async () => {
  await using service = await startService({ ...measured, RATE_LIMIT_PER_MINUTE: '3' })
  const { username, token } = await signUpPoster(service)
  const before = await counted(service, 'http_request_duration_seconds_count')
  const post = (fields: Record<string, string>, headers: Record<string, string> = {}) =>
    service.fetch('/api', {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, ...headers },
      body: new URLSearchParams(fields),
    })
  await service.fetch(`/badge/${username}.svg`)
  await post({ message: 'one' })
  await post({ message: 'two' }, { 'Idempotency-Key': 'a' })
  await post({ message: 'two' }, { 'Idempotency-Key': 'a' })
  await post({ message: 'other' }, { 'Idempotency-Key': 'a' })
  await post({})
  await post({ message: 'x' }, { Authorization: 'Bearer no' })
  await post({ message: 'three' })
  await post({ message: 'four' })
  for (const style of ['standard', 'dot']) await service.fetch(`/badge/${username}.svg?style=${style}`)
  await service.fetch(`/badge/${username}.json?url=nowhere.example`)
  await service.fetch('/badge/nobody-here.json')
  await service.fetch('/badge/not_a_name.svg')
  await service.fetch(`/${username}`)
  await service.fetch('/settings')
  await service.fetch('/no/such/page')
  await service.fetch('/api', { method: 'PUT' })
  await service.fetch('/healthz', { method: 'HEAD' })

  expect(await counted(service, 'shipfeed_announcements_total')).toEqual({
    'shipfeed_announcements_total{outcome="created"}': 3,
    'shipfeed_announcements_total{outcome="replayed"}': 1,
    'shipfeed_announcements_total{outcome="idempotency_key_reused"}': 1,
    'shipfeed_announcements_total{outcome="validation_error"}': 1,
    'shipfeed_announcements_total{outcome="unauthorized"}': 1,
    'shipfeed_announcements_total{outcome="rate_limited"}': 1,
  })
  expect(await counted(service, 'shipfeed_badges_total')).toEqual({
    'shipfeed_badges_total{status="fresh"}': 2,
    'shipfeed_badges_total{status="inactive"}': 2,
    'shipfeed_badges_total{status="unknown"}': 1,
  })
  const name = 'http_request_duration_seconds_count'
  const requests = await counted(service, name)
  for (const [key, value] of Object.entries(before)) requests[key] = (requests[key] ?? 0) - value
  expect(Object.fromEntries(Object.entries(requests).filter(([, value]) => value !== 0))).toEqual({
    [`${name}{method="GET",route="/badge/:file",status="200"}`]: 4,
    [`${name}{method="GET",route="/badge/:file",status="404"}`]: 2,
    [`${name}{method="POST",route="/api",status="201"}`]: 4,
    [`${name}{method="POST",route="/api",status="401"}`]: 1,
    [`${name}{method="POST",route="/api",status="422"}`]: 2,
    [`${name}{method="POST",route="/api",status="429"}`]: 1,
    [`${name}{method="GET",route="/:username",status="200"}`]: 1,
    [`${name}{method="GET",route="/settings",status="303"}`]: 1,
    [`${name}{method="GET",route="/:username/*",status="404"}`]: 1,
    [`${name}{method="PUT",route="/api",status="405"}`]: 1,
    [`${name}{method="HEAD",route="/healthz",status="200"}`]: 1,
  })
  // Which calls share a statement depends on when they arrive; the sum counts each of them.
  const inBatches = await counted(service, 'shipfeed_batch_size_sum')
  expect(inBatches['shipfeed_batch_size_sum{statement="badges"}']).toBe(5)
  expect(inBatches['shipfeed_batch_size_sum{statement="announcements"}']).toBe(6)
  expect(inBatches['shipfeed_batch_size_sum{statement="profiles"}']).toBe(1)
  expect(inBatches['shipfeed_batch_size_sum{statement="quotas"}']).toBe(1)
  const timed = await counted(service, 'shipfeed_statement_seconds_count')
  for (const statement of ['badges', 'announcements', 'profiles', 'quotas']) {
    expect(timed[`shipfeed_statement_seconds_count{statement="${statement}"}`]).toBeGreaterThan(0)
  }
})

test('what users type makes no series: not two hundred usernames, paths, targets and methods', async () => {
  await using service = await startService(measured)
  const visit = async (name: string) => {
    await service.fetch(`/badge/${name}.svg?url=${name}.example`)
    await service.fetch(`/${name}?target=${name}.example`)
    await service.fetch(`/${name}/${name}.example`)
    await service.fetch(`/no/${name}/page?${name}=${name}`)
    await service.fetch('/', { method: `TRACE${name.toUpperCase()}` }).catch(() => {})
  }
  await visit('first')
  const before = [...seriesOf(await service.metrics()).keys()]
  for (let n = 0; n < 200; n += 10) {
    await Promise.all(Array.from({ length: 10 }, (_, i) => visit(`visitor-${n + i}`)))
  }
  const text = await service.metrics()
  expect([...seriesOf(text).keys()]).toEqual(before)
  expect(text).not.toContain('visitor')
})

describe('while the database is away', () => {
  test('it says so, counts unavailable badges, and has no last event', async () => {
    await using service = await startService(measured, failingDatabase(new Unavailable('away')))
    await service.fetch('/badge/ada.svg')
    await service.fetch('/badge/ada.json')
    const series = seriesOf(await service.metrics())
    expect(series.get('shipfeed_badges_total{status="unavailable"}')).toBe(2)
    expect(series.get('shipfeed_database_up')).toBe(0)
    expect(series.has('shipfeed_last_event_id')).toBe(false)
  })
})

test('the first error of each kind is counted from 0', async () => {
  await using service = await startService(measured, failingDatabase(new Error('a fault of ours')))
  const counted = async () => seriesOf(await service.metrics()).get('shipfeed_errors_total{event="fault"}')
  expect(await counted()).toBe(0)
  expect((await service.fetch('/')).status).toBe(500)
  expect(await counted()).toBe(1)
})

test('the age of the newest backup is told, and that there is none', async () => {
  const directory = temporaryDirectory()
  const folder = join(directory.path, 'backups')
  // A file in its place, so that the first backup fails.
  writeFileSync(folder, '')
  const backups = { BACKUP_EVERY: '24h', DATA_DIR: directory.path }
  await using service = await startService({ ...measured, ...backups })
  const told = async () => seriesOf(await service.metrics())
  expect((await told()).get('shipfeed_backup_every_seconds')).toBe(86_400)
  // Number() reads "+Inf" as no number.
  expect(await service.metrics()).toContain('\nshipfeed_backup_age_seconds +Inf\n')
  await eventually('it has failed', () => service.logged.some((line) => line.includes('backup_failed')))
  rmSync(folder)
  mkdirSync(folder)
  for (const name of ['2026-01-01T00-00-00Z.dump', '9999-01-01T00-00-00Z.dump', 'notes.txt']) {
    writeFileSync(join(folder, name), '')
  }
  const age = (Date.now() - Date.UTC(2026, 0, 1)) / 1_000
  expect((await told()).get('shipfeed_backup_age_seconds')).toBeWithin(age - 1, age + 60)
  directory.remove()
})

test('every metric has the type and the labels of the catalogue', async () => {
  const directory = temporaryDirectory()
  await using service = await startService({
    ...measured,
    WEBHOOKS: 'any',
    REPORTS: 'on',
    BACKUP_EVERY: '1h',
    DATA_DIR: directory.path,
  })
  await service.fetch('/')
  const text = await service.metrics()
  const catalogue = new Map(describedMetrics)
  const types = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', type = '']) => [name, type])
  expect(types.length).toBeGreaterThan(20)
  expect(new Set(types.map(([name]) => name)).size).toBe(types.length)
  expect(types).toEqual(types.map(([name = '']) => [name, catalogue.get(name)?.type ?? '']))
  const standby = ['shipfeed_standbys', 'shipfeed_standbys_read']
  const missing = [...catalogue.keys()].filter((name) => !types.some(([given]) => given === name))
  expect(missing.toSorted()).toEqual(standby)
  for (const [, given = '', labels = ''] of text.matchAll(/^(\w+?)(?:\{(.*)\})? /gm)) {
    const name = given.replace(/_(bucket|sum|count)$/, '')
    const names = [...labels.matchAll(/(\w+)="/g)].map(([, label]) => label).filter((label) => label !== 'le')
    expect([given, names]).toEqual([
      given,
      [...((catalogue.get(name) ?? catalogue.get(given))?.labels ?? [])],
    ])
  }
})

test('open feeds are counted while they are open', async () => {
  await using service = await startService(measured)
  const stream = await service.fetch('/feed/live', { headers: { Accept: 'text/event-stream' } })
  const open = seriesOf(await service.metrics())
  expect(open.get('shipfeed_watchers')).toBe(1)
  expect(open.get('shipfeed_watchers_limit')).toBe(10_000)
  expect(open.get('shipfeed_database_up')).toBe(1)
  expect(open.get('shipfeed_last_event_id')).toBeGreaterThanOrEqual(0)
  await stream.body?.cancel()
})

needing('promtool').test("Prometheus' own linter finds no fault", async () => {
  await using service = await startService(measured)
  await service.fetch('/badge/ada.svg')
  const lint = Bun.spawn(['promtool', 'check', 'metrics'], {
    stdin: new Blob([await service.metrics()]),
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const told = (await new Response(lint.stdout).text()) + (await new Response(lint.stderr).text())
  expect(told).toBe('')
  expect(await lint.exited).toBe(0)
})
