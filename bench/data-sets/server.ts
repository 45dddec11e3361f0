import postgres from 'postgres'
import { openPostgres } from '../../src/database/postgres/open.ts'
import { cluster } from '../cluster.ts'
import { type DataSet, peopleDataSet } from './seeding.ts'

/** The address of a database with this many users, and this many deployments of the busy one. */
export async function serverDataSet(users: number, ofBusy = 0): Promise<string> {
  return await keptDatabase(peopleDataSet(users, ofBusy))
}

/** The address of a database with a data set that this or an earlier run made. */
export async function keptDatabase({ name, statements, finish }: DataSet): Promise<string> {
  const url = await addressOf(name)
  const [found] = await onServer(`select 1 from pg_database where datname = '${name}'`)
  if (found !== undefined) return url
  console.error(`Seeding ${name} …`)
  const unfinished = `${name}_unfinished`
  await onServer(`drop database if exists ${unfinished} with (force)`, `create database ${unfinished}`)
  const db = await openPostgres(await addressOf(unfinished))
  await db.migrated
  await runAll(await addressOf(unfinished), statements)
  await finish?.(db)
  await db.close()
  await onServer(`alter database ${unfinished} rename to ${name}`)
  return url
}

/** A copy for benchmarks that write, of which there may be several: the data set itself stays unchanged. */
export async function copyOfDataSet(users: number, ofBusy = 0, which = 'copy'): Promise<string> {
  const name = `shipfeed_bench_${which}`
  await serverDataSet(users, ofBusy)
  await onServer(
    `drop database if exists ${name} with (force)`,
    `create database ${name} template ${peopleDataSet(users, ofBusy).name} strategy file_copy`,
    'checkpoint',
  )
  return await addressOf(name)
}

/** The version of the server, for the table. */
export async function serverVersion(): Promise<string> {
  const [row] = await onServer("select split_part(current_setting('server_version'), ' ', 1) as version")
  return String(row?.version)
}

/** Runs statements one after the other and gives the rows of the last. */
export async function runAll(url: string, statements: readonly string[]): Promise<readonly postgres.Row[]> {
  const client = postgres(url, { max: 1, onnotice: () => {} })
  try {
    let rows: readonly postgres.Row[] = []
    for (const statement of statements) rows = await client.unsafe(statement)
    return rows
  } finally {
    await client.end()
  }
}

async function onServer(...statements: readonly string[]): Promise<readonly postgres.Row[]> {
  return await runAll((await cluster()).url, statements)
}

async function addressOf(name: string): Promise<string> {
  const url = new URL((await cluster()).url)
  url.pathname = `/${name}`
  return url.href
}
