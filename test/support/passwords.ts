import { sql } from 'drizzle-orm'
import type { Db } from '../../src/database/db.ts'
import { query } from './database.ts'

/** Makes every counted attempt of a subject that much older. */
export async function age(db: Db, subject: string, interval: string): Promise<void> {
  await query(
    db,
    sql`update attempts set instants = array(select i - ${interval}::interval from unnest(instants) i)
        where subject = ${subject}`,
  )
}

/** Counts that many attempts of a subject at this moment. */
export async function spend(db: Db, kind: string, subject: string, count: number): Promise<void> {
  await query(
    db,
    sql`insert into attempts (kind, subject, instants, expires_at)
        values (${kind}, ${subject}, array_fill(now(), array[${count}::int]), now() + interval '1 day')
        on conflict (kind, subject) do update set instants = excluded.instants`,
  )
}

const { hash, verify } = Bun.password
const hashes = new Map<string, Promise<string>>()
const verdicts = new Map<string, Promise<boolean>>()
let isRemembering = false

/**
 * Has this process compute each password hash once: a hash costs 40 ms of a core by design, and the tests sign people up
 * and in thousands of times, with the same few passwords. Two people with one password then have one salt.
 */
export function rememberPasswords(): void {
  if (isRemembering) return
  isRemembering = true
  Bun.password.hash = (password, options) =>
    once(hashes, JSON.stringify([String(password), options]), () => hash(password, options))
  Bun.password.verify = (password, hashed, algorithm) =>
    once(verdicts, JSON.stringify([String(password), String(hashed)]), () =>
      verify(password, hashed, algorithm),
    )
}

/** Does some work with hashes that cost what they cost in production. */
export async function withRealPasswords<Result>(work: () => Promise<Result>): Promise<Result> {
  const remembering = { ...Bun.password }
  Object.assign(Bun.password, { hash, verify })
  try {
    return await work()
  } finally {
    Object.assign(Bun.password, remembering)
  }
}

async function once<Value>(
  known: Map<string, Promise<Value>>,
  key: string,
  compute: () => Promise<Value>,
): Promise<Value> {
  const value = known.get(key) ?? compute()
  known.set(key, value)
  // Others have a turn, as while a hash is computed in another thread.
  await Bun.sleep(1)
  return await value
}
