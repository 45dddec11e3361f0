import { sql } from 'drizzle-orm'
import type { Db } from '../../src/database/db.ts'
import { query } from './database.ts'

/** Makes every counted attempt of a subject so much older. */
export async function age(db: Db, subject: string, interval: string): Promise<void> {
  await query(
    db,
    sql`update attempts set instants = array(select i - ${interval}::interval from unnest(instants) i)
        where subject = ${subject}`,
  )
}

/** Makes a subject have so many attempts of this moment behind it. */
export async function spend(db: Db, kind: string, subject: string, count: number): Promise<void> {
  await query(
    db,
    sql`insert into attempts (kind, subject, instants, expires_at)
        values (${kind}, ${subject}, array_fill(now(), array[${count}::int]), now() + interval '1 day')
        on conflict (kind, subject) do update set instants = excluded.instants`,
  )
}
