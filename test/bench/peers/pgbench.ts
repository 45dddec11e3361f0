import { PgDialect } from 'drizzle-orm/pg-core'
import { callOf } from '../../../src/data/recording.ts'
import { recordStatement } from '../../../src/data/recording-statement.ts'
import { feedLock } from '../../../src/database/locks.ts'
import { allPosters, announcementOf, type Poster } from '../data-sets/people.ts'
import type { Figures } from '../rounds.ts'
import { scratchFile } from '../scratch.ts'

const clients = 10
/** Each poster is a script, which every client prepares once. */
const posters = 20

/** What Postgres can record when each announcement is a transaction of its own: our lock, our statement. */
export async function pgbench(databaseUrl: string, { seconds }: { seconds: number }): Promise<Figures> {
  const scripts = allPosters()
    .slice(0, posters)
    .flatMap((poster) => ['-f', scriptOf(poster)])
  const options = ['-n', '-M', 'prepared', '-c', String(clients), '-T', String(seconds)]
  const process = Bun.spawn(['pgbench', ...options, ...scripts, databaseUrl], {
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [output, errors] = await Promise.all([
    new Response(process.stdout).text(),
    new Response(process.stderr).text(),
  ])
  const [, rate] = /^tps = ([\d.]+)/m.exec(output) ?? []
  if (rate === undefined) throw new Error(`pgbench: ${errors}`)
  return { rate: Number(rate), p50: Number.NaN, p99: Number.NaN }
}

function scriptOf(poster: Poster): string {
  const { message, url } = announcementOf(poster)
  const announcement = { message, url, category: 'feature' } as const
  const call = callOf({ tokenHash: poster.hash, announcement, idempotencyKey: null })
  const { sql, params } = new PgDialect({ casing: 'snake_case' }).sqlToQuery(recordStatement([call], 0))
  const statement = sql.replace(/\$(\d+)/g, (_, n: string) => literal(params[Number(n) - 1]))
  const script = `begin;\nselect pg_advisory_xact_lock(${feedLock});\n${statement};\ncommit;\n`
  return scratchFile(`${poster.username}.sql`, script)
}

function literal(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return `array[${value.map(literal).join(', ')}]`
  return typeof value === 'number' ? String(value) : `'${String(value).replaceAll("'", "''")}'`
}
