import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { keepBackups } from '../../src/commands/backups.ts'
import { restoreDump } from '../../src/data/dump/restore.ts'
import type { Db } from '../../src/database/db.ts'
import { openEmbedded } from '../../src/database/embedded/open.ts'
import { streamOf } from '../support/dump/dumps.ts'
import { fillTables } from '../support/dump/rows.ts'
import { eventually } from '../support/eventually.ts'
import { temporaryDirectory } from '../support/process.ts'

const directory = temporaryDirectory()
afterAll(directory.remove)
const folder = join(directory.path, 'backups')

describe('Backups', () => {
  let db: Db
  let stop = () => {}
  let told: string[] = []
  beforeAll(async () => {
    db = await openEmbedded(null)
    await fillTables(db, 20)
  }, 30_000)
  afterEach(() => {
    stop()
    told = []
    rmSync(folder, { recursive: true, force: true })
  })
  afterAll(() => db.close())

  function begin(everyMs: number, keep = 2): void {
    stop = keepBackups(db, { folder, everyMs, keep }, (event, { message }) =>
      told.push(`${event} ${message}`),
    )
  }

  test('are whole files for nobody else, of which the newest are kept', async () => {
    mkdirSync(folder)
    for (const day of [1, 2, 3]) {
      const old = join(folder, `2026-01-0${day}T00-00-00Z.dump`)
      writeFileSync(old, 'old')
      utimesSync(old, day, day)
    }
    writeFileSync(join(folder, 'notes.txt'), 'of the operator')
    begin(3_600_000)
    await eventually('one is made', () => told.length > 0)
    const [made = '', ...others] = readdirSync(folder).sort().toReversed().slice(1)
    expect(others).toEqual(['2026-01-03T00-00-00Z.dump'])
    expect(told).toEqual([`backup_made Backed up to ${join(folder, made)}`])
    expect(statSync(join(folder, made)).mode & 0o777).toBe(0o600)
    const bytes = await Bun.file(join(folder, made)).bytes()
    const error = await restoreDump(db, streamOf(bytes)).catch((error: unknown) => error)
    expect(String(error)).toContain('the database is not empty')
  }, 20_000)

  test('wait until the newest has its age', async () => {
    mkdirSync(folder)
    writeFileSync(join(folder, '2026-01-01T00-00-00Z.dump'), 'made just now')
    begin(3_600_000)
    await Bun.sleep(300)
    expect([told, readdirSync(folder)]).toEqual([[], ['2026-01-01T00-00-00Z.dump']])
  })

  test('wait no longer, should the newest be of the future', async () => {
    mkdirSync(folder)
    const ahead = join(folder, '2026-01-01T00-00-00Z.dump')
    writeFileSync(ahead, 'made before the clock was set back')
    const anHour = Date.now() / 1_000 + 3_600
    utimesSync(ahead, anHour, anHour)
    begin(500)
    await eventually('one is made', () => told.length > 0)
    expect(told[0]).toStartWith('backup_made')
  })

  test('that fail are told, leave nothing, and do not end the next', async () => {
    writeFileSync(folder, 'in the way')
    begin(500)
    await eventually('it fails', () => told.length > 0)
    expect(told[0]).toMatch(/^backup_failed No backup was made: .*EEXIST/)
    rmSync(folder)
    await eventually('the next is made', () => told.at(-1)?.startsWith('backup_made') === true)
    stop()
    await eventually('all are whole', () => readdirSync(folder).every((name) => name.endsWith('.dump')))
  }, 20_000)
})
