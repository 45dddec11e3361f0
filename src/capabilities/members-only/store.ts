import { eq, type SQL, sql } from 'drizzle-orm'
import { isAccount } from '../../data/account/tables.ts'
import { hashSecret, tokenWorks } from '../../data/account/tokens.ts'
import { allRows, unwritten } from '../../data/statements.ts'
import { batch } from '../../database/batch.ts'
import { type Db, texts } from '../../database/db.ts'
import { type Token, tokenOf } from '../../domain/account/token-rights.ts'
import { readKeyFrom } from './rules.ts'
import { readKeys } from './tables.ts'

export type Readers = ReturnType<typeof readersOf>

/** Makes the functions that check many read keys and tokens at once, and note a use every five minutes. */
export function readersOf(db: Db) {
  const limits = { inFlight: 2, batchSize: 500 }
  return {
    /** Whether a read key works. */
    isKey: batch(db, 'read_keys', (hashes: readonly string[]) => findKeys(db, hashes), limits),
    /** A token that works. */
    findToken: batch(db, 'reading_tokens', (hashes: readonly string[]) => findTokens(db, hashes), limits),
  }
}

const isUnnoted = sql`(last_used_at is null or last_used_at < now() - interval '5 minutes')`

type Found = { readonly hash: string; readonly unnoted: boolean }

async function findKeys(db: Db, hashes: readonly string[]): Promise<readonly boolean[]> {
  const rows = await findAndNote<Found>(
    db,
    sql`select hash, ${isUnnoted} as unnoted from read_keys where hash = any(${texts(hashes)})`,
    (used) => sql`update read_keys set last_used_at = now() where hash in ${unwritten(sql`read_keys`, used)}`,
  )
  const known = new Set(rows.map(({ hash }) => hash))
  return hashes.map((hash) => known.has(hash))
}

async function findTokens(db: Db, hashes: readonly string[]): Promise<readonly (Token | null)[]> {
  const rows = await findAndNote<Found & Token>(
    db,
    sql`
      select tokens.hash, ${isUnnoted} as unnoted, tokens.may, tokens.targets, tokens.environments,
        case when tokens.publisher_id is null then tokens.name end as name
      from tokens join users on users.id = tokens.user_id
      where tokens.hash = any(${texts(hashes)}) and ${tokenWorks} and ${isAccount}`,
    (used) => sql`
      update tokens set last_used_at = now(), last_used_from = 'reading'
      where hash in ${unwritten(sql`tokens`, used)} and 'read' = any(may)`,
  )
  const found = new Map(rows.map((row) => [row.hash, tokenOf(row)]))
  return hashes.map((hash) => found.get(hash) ?? null)
}

async function findAndNote<Row extends Found>(
  db: Db,
  find: SQL,
  noting: (hashes: readonly string[]) => SQL,
): Promise<readonly Row[]> {
  const rows = await db.write(allRows<Row>(find), 'reserved')
  const used = rows.filter(({ unnoted }) => unnoted).map(({ hash }) => hash)
  if (used.length > 0) await db.write(allRows(noting(used)), 'reserved')
  return rows
}

export async function findReadKey(db: Db, userId: number): Promise<typeof readKeys.$inferSelect | null> {
  const isTheirs = eq(readKeys.userId, userId)
  const [found] = await db.readPrimary((queries) => queries.select().from(readKeys).where(isTheirs))
  return found ?? null
}

/** Gives a new read key, shown only here; the old one ends. Null if the user was deleted. */
export async function rollReadKey(db: Db, userId: number): Promise<string | null> {
  const key = readKeyFrom(crypto.getRandomValues(new Uint8Array(32)))
  const rolled = await db.write(
    allRows(sql`
      insert into read_keys (user_id, hash, last_four)
      select id, ${hashSecret(key)}, ${key.slice(-4)} from users where id = ${userId} and ${isAccount} for key share
      on conflict (user_id) do update
      set hash = excluded.hash, last_four = excluded.last_four, created_at = now(), last_used_at = null
      returning 1`),
  )
  return rolled.length === 0 ? null : key
}
