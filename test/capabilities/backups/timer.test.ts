import { afterAll, afterEach, beforeAll, describe, expect, spyOn, test } from 'bun:test'
import { mkdirSync, readdirSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { restoreDump } from '../../../src/capabilities/backups/restore.ts'
import { keepBackups } from '../../../src/capabilities/backups/timer.ts'
import type { Db } from '../../../src/database/db.ts'
import { tables } from '../../../src/table-uses.ts'
import { openTestDatabase } from '../../support/database.ts'
import { streamOf } from '../../support/dump/dumps.ts'
import { fillTables } from '../../support/dump/rows.ts'
import { eventually } from '../../support/eventually.ts'
import { temporaryDirectory } from '../../support/process.ts'

const directory = temporaryDirectory()
afterAll(directory.remove)
const folder = join(directory.path, 'backups')

describe('Backups', () => {
  let db: Db
  let stop = () => {}
  let told: string[] = []
  beforeAll(async () => {
    db = await openTestDatabase()
    await fillTables(db, 20)
  })
  afterEach(() => {
    stop()
    told = []
    rmSync(folder, { recursive: true, force: true })
  })
  afterAll(() => db.close())

  function begin(everyMs: number, keep = 2): void {
    stop = keepBackups(db, { tables, dataDir: directory.path, everyMs, keep }, (event, { message }) =>
      told.push(`${event} ${message}`),
    )
  }

  test.each([
    [1, []],
    [2, ['2026-01-03T00-00-00Z.dump']],
    [3, ['2026-01-03T00-00-00Z.dump', '2026-01-02T00-00-00Z.dump']],
  ])('are complete files that only the owner may read, and the newest %d are kept', async (keep, older) => {
    const foreign = ['2026-01-01.dump', 'latest.dump', 'notes.txt', 'weekly.dump']
    mkdirSync(folder)
    for (const day of [1, 2, 3]) writeFileSync(join(folder, `2026-01-0${day}T00-00-00Z.dump`), 'old')
    for (const name of foreign) writeFileSync(join(folder, name), 'of the operator')
    begin(3_600_000, keep)
    await eventually('one is made', () => told.length > 0)
    const names = readdirSync(folder).sort()
    const [made = '', ...others] = names.filter((name) => !foreign.includes(name)).toReversed()
    expect(names).toEqual([...foreign, made, ...others].sort())
    expect(others).toEqual(older)
    expect(told).toEqual([`backup_made Backed up to ${join(folder, made)}`])
    expect(statSync(join(folder, made)).mode & 0o777).toBe(0o600)
    const bytes = await Bun.file(join(folder, made)).bytes()
    const error = await restoreDump(db, tables, streamOf(bytes)).catch((error: unknown) => error)
    expect(String(error)).toContain('the database is not empty')
  })

  test('wait until the newest one is old enough, whatever else is in the folder', async () => {
    mkdirSync(folder)
    const recent = nameAgo(1_000)
    writeFileSync(join(folder, recent), 'made just now')
    const foreign = ['latest.dump', 'weekly.dump', '9999-01-01T00-00-00Z.dump']
    symlinkSync('nowhere', join(folder, 'latest.dump'))
    symlinkSync('nowhere', join(folder, '9999-01-01T00-00-00Z.dump'))
    writeFileSync(join(folder, 'weekly.dump'), 'of the operator')
    utimesSync(join(folder, 'weekly.dump'), 1, 1)
    begin(3_600_000)
    await Bun.sleep(300)
    expect([told, readdirSync(folder).sort()]).toEqual([[], [...foreign, recent].sort()])
  })

  test('are tried again within an hour after one that failed, and after one that was made when the next is due', async () => {
    using timeout = spyOn(globalThis, 'setTimeout')
    const waits = () => timeout.mock.calls.map(([, ms]) => ms ?? 0).filter((ms) => ms >= 60_000)
    const fortnight = 14 * 24 * 3_600_000
    writeFileSync(folder, 'no folder')
    begin(fortnight)
    await eventually('one has failed', () => told.some((line) => line.startsWith('backup_failed')))
    await eventually('the next is planned', () => waits().length > 0)
    expect(waits()).toEqual([3_600_000])
    stop()
    rmSync(folder)
    timeout.mockClear()
    begin(fortnight)
    await eventually('the next is planned', () => waits().length > 0)
    expect(waits()).toEqual([expect.closeTo(fortnight, -4)])
  })

  test('ignore other files and backups from the future, and keep the one just made', async () => {
    mkdirSync(folder)
    symlinkSync('nowhere', join(folder, 'latest.dump'))
    writeFileSync(join(folder, 'weekly.dump'), 'of the operator')
    const ahead = nameAgo(-3_600_000)
    writeFileSync(join(folder, ahead), 'made before the clock was set back')
    begin(3_600_000, 1)
    await eventually('one is made', () => told.length > 0)
    const [made] = readdirSync(folder).filter((name) => !['latest.dump', 'weekly.dump'].includes(name))
    expect(told).toEqual([`backup_made Backed up to ${join(folder, made ?? '')}`])
    expect(made).not.toBe(ahead)
  })

  test('that fail are logged, leave nothing behind, and do not prevent the next one', async () => {
    writeFileSync(folder, 'in the way')
    begin(500)
    await eventually('it fails', () => told.length > 0)
    expect(told[0]).toMatch(/^backup_failed Backing up failed: .*EEXIST/)
    rmSync(folder)
    await eventually('the next is made', () => told.at(-1)?.startsWith('backup_made') === true)
    stop()
    await eventually('all are whole', () => readdirSync(folder).every((name) => name.endsWith('.dump')))
  })
})

/** The name of a backup that was made this long ago. */
function nameAgo(ms: number): string {
  const time = new Date(Date.now() - ms).toISOString()
  return `${time.slice(0, 19).replaceAll(':', '-')}Z.dump`
}
