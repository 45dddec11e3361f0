import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { version } from '../../package.json'
import { sourceKept } from '../domain/account/devices-and-pipelines.ts'
import { defaultToken, oldTokenHours } from '../domain/account/token.ts'
import { historyLimits, historyOrigin, idsPerSecond } from '../domain/history.ts'
import { batchSize } from '../domain/search/postings.ts'
import { bellChannel } from './bell.ts'
import { oneRowOf, type Queries, rowsOf, texts } from './db.ts'
import { feedLock, feedSequence } from './locks-and-pacing.ts'

/** The constants that the files in drizzle/functions refer to as `${name}`. */
const constants: Readonly<Record<string, string | number>> = {
  batchSize,
  bellChannel,
  defaultToken,
  feedLock,
  feedSequence,
  historyADay: historyLimits.aDay,
  historyOfUser: historyLimits.ofUser,
  historyOrigin,
  idsPerSecond,
  largestId: Number.MAX_SAFE_INTEGER,
  oldTokenHours,
  sourceKept,
}

/** The functions of the database and their triggers, as this program defines them. */
export type DatabaseFunctions = Readonly<ReturnType<typeof readFunctions>>

/** Reads a folder that has a file for each function and its triggers, and fills in the constants. */
export function readFunctions(folder: string) {
  const files = readdirSync(folder).toSorted()
  const statements = files.flatMap((file) => {
    const text = readFileSync(join(folder, file), 'utf8')
    return filled(text).split('--> statement-breakpoint')
  })
  return {
    release: version,
    names: files.map((file) => file.replace('.sql', '')),
    statements,
    hash: new Bun.CryptoHasher('sha256').update(statements.join()).digest('hex'),
  }
}

function filled(text: string): string {
  return text.replace(/\$\{(\w+)\}/g, (_, name: string) => {
    const value = constants[name]
    if (value === undefined) throw new Error(`no constant is called ${name}`)
    return String(value)
  })
}

/** The table whose one row says which functions are installed. Its columns are those of `Installed`. */
const installedTable = sql.raw('drizzle.functions')

type Installed = {
  /** The newest release that has installed its functions. */
  readonly release: string
  /** The `hash` of that release's functions. */
  readonly hash: string
  /** What `heldBy` returned just after the functions were installed. */
  readonly held: string
}

/**
 * Whether the database holds these functions unaltered, or holds those of a newer release. Older releases can
 * use those too (docs/decisions.md#operation). Needs only read access.
 */
export async function areInPlace(queries: Queries, wanted: DatabaseFunctions): Promise<boolean> {
  const { exists } = await oneRowOf<{ exists: boolean }>(
    queries,
    sql`select to_regclass('drizzle.functions') is not null as exists`,
  )
  if (!exists) return false
  const [installed] = await rowsOf<Installed>(queries, sql`select release, hash, held from ${installedTable}`)
  if (installed === undefined) return false
  if (Bun.semver.order(installed.release, wanted.release) > 0) return true
  return installed.hash === wanted.hash && installed.held === (await heldBy(queries, wanted))
}

/** Installs the functions unless they are in place. Runs under the migration lock, after the migrations. */
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
  const { held } = await oneRowOf<{ held: string }>(
    queries,
    sql`
      select md5(coalesce(string_agg(concat_ws(' ', name, body, settings), ',' order by name collate "C"), '')) as held
      from (
        select proname::text as name, prosrc as body, proconfig::text as settings from pg_proc
        where pronamespace = 'public'::regnamespace and proname = any(${texts(names)})
        union all
        select tgname::text, tgfoid::regproc::text, concat_ws(' ', tgtype, tgenabled) from pg_trigger
        where tgrelid = to_regclass('public.deployments') and not tgisinternal
      ) held`,
  )
  return held
}
