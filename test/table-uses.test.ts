import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { getTableName, is } from 'drizzle-orm'
import { PgTable } from 'drizzle-orm/pg-core'
import config from '../drizzle.config.ts'
import { tables } from '../src/table-uses.ts'
import { derivedTables, dumpedTables } from './support/database.ts'

const root = join(import.meta.dir, '..')

/** The names of the tables in all files that the schema is read from. */
async function tablesOfSchema(): Promise<string[]> {
  const files = [config.schema ?? []].flat().flatMap((files) => [...new Bun.Glob(files).scanSync(root)])
  const modules: object[] = await Promise.all(files.map((file) => import(join(root, file))))
  const found = modules.flatMap((module) => Object.values(module)).filter((value) => is(value, PgTable))
  return found.map(getTableName)
}

test('every table of the schema is dumped, exported and deleted by the list, or is filled again', async () => {
  const known = [...dumpedTables, ...Object.keys(derivedTables)]
  expect(known.toSorted()).toEqual((await tablesOfSchema()).toSorted())
})

test('the order of a dump is that of older dumps, which would else be refused', () => {
  expect(dumpedTables).toEqual([
    ...[
      'users',
      'retired_usernames',
      'publishers',
      'used_jtis',
      'tokens',
      'read_keys',
      'sessions',
      'devices',
    ],
    ...['password_links', 'attempts', 'deployments', 'reports', 'withdrawals', 'latest_deployments'],
    ...[
      'daily_deployments',
      'targets',
      'target_scopes',
      'history_days',
      'refusals',
      'webhooks',
      'deliveries',
    ],
    ...['intakes', 'intake_calls', 'joined_projects'],
  ])
})

test('each section of an export has a place of its own', () => {
  const places = tables.flatMap(({ section }) => section?.place ?? [])
  expect(places.toSorted((one, other) => one - other)).toEqual(places.map((_, n) => n + 1))
})
