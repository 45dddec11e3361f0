import { feedLock } from '../../src/database/locks.ts'
import { targetRule } from '../../src/domain/target.ts'
import { cluster } from '../cluster.ts'
import { usedByPostgres } from '../cpu.ts'
import type { Figures } from '../rounds.ts'
import { scratchFile } from '../scratch.ts'

/** Stores a deployment as we do, in the table with its indexes, but without its counts. */
const insert = `
insert into deployments (user_id, message, url, category, scopes, target, target_rule, deployed_at)
values (:user, '✨ Saved searches: pin one, get it back everywhere',
  'https://github.com/u' || :user || '/p1/pull/' || :number, 'feature',
  array['', 'github.com', 'github.com/u' || :user, 'github.com/u' || :user || '/p1'],
  'github.com/u' || :user || '/p1', ${targetRule}, now());`

const chosen = `
\\set user random(1, 1000)
\\set number random(1, 1000000000)`

/** The least work that recording a deployment takes. */
export const plainInsert = `${chosen}${insert}`

/** The same in a transaction like ours, with the lock that keeps ids in the order of commits. */
export const lockedInsert = `${chosen}
begin;
select pg_advisory_xact_lock(${feedLock});${insert}
commit;`

/** Postgres alone: pgbench runs a script in this many clients. */
export async function pgbench(
  databaseUrl: string,
  script: string,
  { seconds, clients }: { seconds: number; clients: number },
): Promise<Figures> {
  const file = scratchFile('pgbench.sql', script)
  const { pid } = await cluster()
  const before = usedByPostgres(pid)
  const options = ['-n', '-M', 'prepared', '-c', String(clients), '-T', String(seconds), '-f', file]
  const process = Bun.spawn(['pgbench', ...options, databaseUrl], { stdout: 'pipe', stderr: 'pipe' })
  const [output, errors] = await Promise.all([
    new Response(process.stdout).text(),
    new Response(process.stderr).text(),
  ])
  const used = usedByPostgres(pid) - before
  const [, rate] = /^tps = ([\d.]+)/m.exec(output) ?? []
  const [, transactions] = /transactions actually processed: (\d+)/.exec(output) ?? []
  if (rate === undefined) throw new Error(`pgbench: ${errors}`)
  const cpu = { own: null, postgres: used / Number(transactions) }
  return { rate: Number(rate), p50: Number.NaN, p99: Number.NaN, cpu }
}
