import postgres from 'postgres'
import { openPostgres } from '../../../src/database/postgres/open.ts'
import { isSeededQuery, seeding } from './seeding.ts'

export const serverUrl = process.env.BENCH_DATABASE_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres'

/** The address of a database with so many deployments, made now or by an earlier run. */
export async function postgresDataSet(deployments: number): Promise<string> {
  const name = `shipfeed_bench_${deployments}`
  const url = addressOf(name)
  if (await isSeeded(name, deployments)) return url
  console.error(`Seeding ${name} …`)
  await onServer(`drop database if exists ${name} with (force)`, `create database ${name}`)
  const db = await openPostgres(url)
  await db.migrated
  await db.close()
  await runAll(url, [...seeding(deployments), 'vacuum analyze', 'checkpoint'])
  return url
}

/** A copy for what writes: the data set itself stays as it is. */
export async function copyOfDataSet(deployments: number): Promise<string> {
  const name = 'shipfeed_bench_copy'
  await postgresDataSet(deployments)
  await onServer(
    `drop database if exists ${name} with (force)`,
    `create database ${name} template shipfeed_bench_${deployments} strategy file_copy`,
  )
  return addressOf(name)
}

/** The version of the server, for the table. */
export async function serverVersion(): Promise<string> {
  const [row] = await runAll(serverUrl, [
    "select split_part(current_setting('server_version'), ' ', 1) as version",
  ])
  return String(row?.version)
}

async function isSeeded(name: string, deployments: number): Promise<boolean> {
  const [found] = await runAll(serverUrl, [`select 1 as found from pg_database where datname = '${name}'`])
  if (found === undefined) return false
  const [row] = await runAll(addressOf(name), [isSeededQuery(deployments)]).catch(() => [])
  return row?.is_seeded === true
}

async function onServer(...statements: readonly string[]): Promise<void> {
  await runAll(serverUrl, statements)
}

/** Runs statements one after the other and gives the rows of the last. */
async function runAll(url: string, statements: readonly string[]): Promise<readonly postgres.Row[]> {
  const client = postgres(url, { max: 1, onnotice: () => {} })
  try {
    let rows: readonly postgres.Row[] = []
    for (const statement of statements) rows = await client.unsafe(statement)
    return rows
  } finally {
    await client.end()
  }
}

function addressOf(name: string): string {
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return url.href
}
