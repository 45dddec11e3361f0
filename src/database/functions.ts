import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { version } from '../../package.json'
import { sourceKept } from '../domain/account/call-source.ts'
import { defaultToken, oldTokenHours } from '../domain/account/token.ts'
import { batchSize } from '../domain/feed/id-batch.ts'
import { idsPerSecond, importLimits, importOrigin } from '../domain/imported.ts'
import { releaseFields } from '../domain/release/release.ts'
import { earlierReleases } from '../domain/release/rollback.ts'
import { bellChannel } from './bell.ts'
import { hasTable, oneRowOf, type Queries, rowsOf, texts } from './db.ts'
import { feedLock, feedSequence } from './locks.ts'

/** The columns of a deployment that its announcement sends as texts. */
const fields = ['message', 'url', 'category', ...releaseFields]

/** The constants that the files in drizzle/functions refer to as `${name}`. */
const constants: Readonly<Record<string, string | number>> = {
  batchSize,
  bellChannel,
  defaultToken,
  earlierReleases,
  feedLock,
  feedSequence,
  fields: fields.join(', '),
  fieldsOfCall: fields.map((name) => `call.${name}`).join(', '),
  fieldsOfKnown: fields.map((name) => `known.${name}`).join(', '),
  fieldsWithTypes: fields.map((name) => `${name} text`).join(', '),
  historyADay: importLimits.aDay,
  historyASecond: importLimits.aSecond,
  historyTries: importLimits.tries,
  historyOfUser: importLimits.ofUser,
  historyOrigin: importOrigin,
  idsPerSecond,
  largestId: Number.MAX_SAFE_INTEGER,
  oldTokenHours,
  sourceKept,
}

/** The root of the repository. The binary contains the files that are read from here (`npm run build`). */
const root = Bun.isStandaloneExecutable ? import.meta.dir : join(import.meta.dir, '../..')
/** Has the migrations, for both drivers, and a folder `functions` with a file for each function and its triggers. */
export const migrationsFolder = join(root, 'drizzle')

export type DatabaseFunctions = Readonly<ReturnType<typeof databaseFunctions>>

/** The functions and triggers as this program defines them, with their constants filled in. */
export function databaseFunctions() {
  const folder = join(migrationsFolder, 'functions')
  const files = readdirSync(folder).toSorted()
  const statements = files.flatMap((file) =>
    readFileSync(join(folder, file), 'utf8')
      .replace(/\$\{(\w+)\}/g, (_, name: string) => {
        const value = constants[name]
        if (value === undefined) throw new Error(`no constant is called ${name}`)
        return String(value)
      })
      .split('--> statement-breakpoint'),
  )
  return {
    release: version,
    names: files.map((file) => file.replace('.sql', '')),
    statements,
    hash: new Bun.CryptoHasher('sha256').update(statements.join()).digest('hex'),
  }
}

/** Its one row has the release that installed the functions, their `hash`, and what `heldBy` then returned. */
const installedTable = sql.raw('drizzle.functions')

type Installed = { readonly release: string; readonly hash: string; readonly held: string }

/** True for functions of a newer release too, which we can use (docs/decisions.md#operation). */
export async function areInPlace(queries: Queries, wanted: DatabaseFunctions): Promise<boolean> {
  if (!(await hasTable(queries, 'drizzle.functions'))) return false
  const [installed] = await rowsOf<Installed>(queries, sql`select release, hash, held from ${installedTable}`)
  if (installed === undefined) return false
  if (Bun.semver.order(installed.release, wanted.release) > 0) return true
  return installed.hash === wanted.hash && installed.held === (await heldBy(queries, wanted))
}

/** Runs under the migration lock, after the migrations. */
export async function putInPlace(transaction: Queries, wanted: DatabaseFunctions): Promise<void> {
  if (await areInPlace(transaction, wanted)) return
  for (const statement of wanted.statements) await transaction.execute(sql.raw(statement))
  await transaction.execute(sql`
    create table if not exists ${installedTable} (release text not null, hash text not null, held text not null)`)
  await transaction.execute(sql`delete from ${installedTable}`)
  await transaction.execute(sql`
    insert into ${installedTable} (release, hash, held)
    values (${wanted.release}, ${wanted.hash}, ${await heldBy(transaction, wanted)})`)
}

/** A digest of these functions and the triggers on `deployments` as they are in the database, to notice changes. */
async function heldBy(queries: Queries, { names }: DatabaseFunctions): Promise<string> {
  const asked = sql`
    select md5(coalesce(string_agg(concat_ws(' ', name, body, settings), ',' order by name collate "C"), '')) as held
    from (
      select proname::text as name, prosrc as body, proconfig::text as settings from pg_proc
      where pronamespace = 'public'::regnamespace and proname = any(${texts(names)})
      union all
      select tgname::text, tgfoid::regproc::text, concat_ws(' ', tgtype, tgenabled) from pg_trigger
      where tgrelid = to_regclass('public.deployments') and not tgisinternal
    ) held`
  return (await oneRowOf<{ held: string }>(queries, asked)).held
}
