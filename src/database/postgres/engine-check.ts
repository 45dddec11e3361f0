import { sql } from 'drizzle-orm'
import { bellChannel } from '../bell.ts'
import type { Queries } from '../db.ts'
import { codeOf, DatabaseUnusable, isReadOnly, messageOf } from '../errors.ts'
import { before } from '../guard.ts'
import { feedSequence } from '../locks.ts'
import { oneRowOf } from '../sql.ts'
import type { Connection } from './connection.ts'

/** For all of it: seven round trips, also far away. */
const checkMs = 5_000

/**
 * Refuses an engine that would lose live events in silence (docs/operations.md#engines): one that gives ids out
 * of order, whose locks keep nobody out, or where a statement does not see what was committed before it. Draws
 * three ids, and leaves no row. Where nothing can be written, nothing is checked. Rejects with DatabaseUnusable,
 * in a line that says what to do, or with what the server says.
 */
export async function checkEngine(first: Connection, second: Connection): Promise<void> {
  const checked = refuse(first.queries, second.queries)
  await before(performance.now() + checkMs, checked, () => {
    first.end()
    second.end()
  }).catch((error: unknown) => {
    if (isReadOnly(error)) return
    const isLacking = ['0A000', '42883'].includes(codeOf(error) ?? '')
    throw isLacking ? new DatabaseUnusable(`${engine} lacks what we need: ${messageOf(error)}`) : error
  })
}

/** Nothing of this is to be kept: a start does not wait for a standby that is down. */
const unreplicated = `set_config('synchronous_commit', 'local', true)`

const engine = 'the engine of DATABASE_URL'

async function refuse(first: Queries, second: Queries): Promise<void> {
  if (!(await drawInOrder(first, second))) {
    throw new DatabaseUnusable(
      `${engine} gives ids out of order: "alter sequence ${feedSequence} cache 1", and no cache in the server (docs/operations.md#engines)`,
    )
  }
  const { isAlone, seesOthers } = await meet(first, second)
  if (!isAlone) throw new DatabaseUnusable(`${engine} has advisory locks that keep nobody out`)
  if (!seesOthers) {
    throw new DatabaseUnusable(
      `${engine} shows each statement what its transaction first saw: turn on READ COMMITTED (docs/operations.md#engines)`,
    )
  }
}

/**
 * Whether an id is beyond all that anybody was given before it was drawn. It is not where a connection or a
 * server has ids in store. Takes no lock, and others may draw meanwhile.
 */
async function drawInOrder(first: Queries, second: Queries): Promise<boolean> {
  const draw = sql.raw(
    `select nextval('${feedSequence}') as id, pg_sequence_last_value('${feedSequence}') as last, ${unreplicated}`,
  )
  const drawn = (queries: Queries) => oneRowOf<{ id: string; last: string }>(queries, draw)
  await drawn(first)
  const { last } = await drawn(second)
  return Number((await drawn(first)).id) > Number(last)
}

/**
 * Whether a lock of a transaction keeps another one out, and whether that transaction sees what the other one
 * commits meanwhile. Rings the bell, too, which an engine may refuse.
 */
async function meet(first: Queries, second: Queries): Promise<{ isAlone: boolean; seesOthers: boolean }> {
  // Another one for each start, so that none waits for another.
  const key = `${Math.floor(Math.random() * 2 ** 31)}, 0`
  const mark = crypto.randomUUID()
  const isThere = sql.raw(`select exists (select from used_jtis where jti = '${mark}') as "seesOthers"`)
  try {
    return await first.transaction(async (transaction) => {
      await transaction.execute(
        sql.raw(`select pg_advisory_xact_lock(${key}), pg_notify('${bellChannel}', ''), ${unreplicated}`),
      )
      await transaction.execute(isThere)
      const { isAlone } = await oneRowOf<{ isAlone: boolean }>(
        second,
        sql.raw(`
          insert into used_jtis (issuer, jti, expires_at) values ('start', '${mark}', now() + interval '1 minute')
          returning not pg_try_advisory_xact_lock(${key}) as "isAlone", ${unreplicated}`),
      )
      return { isAlone, ...(await oneRowOf<{ seesOthers: boolean }>(transaction, isThere)) }
    })
  } finally {
    // What a start that is killed here leaves is forgotten as any other jti.
    await second
      .execute(sql.raw(`delete from used_jtis where jti = '${mark}' returning ${unreplicated}`))
      .catch(() => {})
  }
}
