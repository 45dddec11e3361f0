import { afterAll, expect, test } from 'bun:test'
import { cpSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { hashSecret } from '../../src/data/account/tokens.ts'
import { recorder } from '../../src/data/recording.ts'
import type { Db } from '../../src/database/db.ts'
import { openEmbeddedDatabase, query } from '../support/database.ts'
import { cutPower, type Luck } from '../support/power/cut.ts'
import { type Entry, keepJournal } from '../support/power/journal.ts'
import { temporaryDirectory } from '../support/process.ts'

const directory = temporaryDirectory()
afterAll(directory.remove)
const beginning = join(directory.path, 'beginning')

/** In the name of the test, so that a failure can be repeated with the same luck. */
const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 1e6))

test(`What was acknowledged survives a power cut at any instant (SEED=${seed})`, async () => {
  const random = randomFrom(seed)
  const { journal, acknowledged, marks } = await runUntilTheCut()
  const anywhere = Array.from({ length: 2 }, () => Math.floor(random() * journal.length))
  for (const [n, cut] of [...marks, ...anywhere].entries()) {
    const folder = join(directory.path, 'cut')
    mkdirSync(folder)
    const luck = lucks(random)[n % 3] as Luck
    cutPower(beginning, journal.slice(0, cut), { into: join(folder, 'postgres'), luck })
    const promised = acknowledged.filter(({ at }) => at <= cut).map(({ id }) => id)
    expect({ cut, ...(await whatIsLeft(folder, promised)) }).toEqual({
      cut,
      lost: [],
      countsAgree: true,
      idsGoOn: true,
    })
    rmSync(folder, { recursive: true })
  }
}, 300_000)

type Acknowledged = { readonly id: number; readonly at: number }

type Run = {
  readonly journal: readonly Entry[]
  /** The ids, and the length of the journal when each was acknowledged. */
  readonly acknowledged: readonly Acknowledged[]
  /** Where something begins or ends that moves files: migrations, a new log file, a checkpoint. */
  readonly marks: readonly number[]
}

async function runUntilTheCut(): Promise<Run> {
  const folder = join(directory.path, 'run')
  const { entries, stop } = keepJournal(join(folder, 'postgres'), () =>
    cpSync(join(folder, 'postgres'), beginning, { recursive: true }),
  )
  const db = await openEmbeddedDatabase(folder)
  const acknowledged: Acknowledged[] = []
  const marks = [Math.floor(entries.length / 2)]
  await makePoster(db)
  const announce = announcer(db)
  const post = async (count: number) => {
    for (let n = 0; n < count; n += 1) acknowledged.push({ id: await announce(), at: entries.length })
    marks.push(entries.length)
  }
  await post(10)
  await query(db, sql`select pg_switch_wal()`)
  await post(10)
  const before = entries.length
  await query(db, sql`checkpoint`)
  marks.push(Math.floor((before + entries.length) / 2))
  await post(10)
  // What the close of the database writes is no part of a power cut.
  const journal = entries.slice()
  stop()
  await db.close()
  return { journal, acknowledged, marks }
}

/** How much of the acknowledged work a start on this folder finds, and whether it goes on from there. */
async function whatIsLeft(folder: string, promised: readonly number[]) {
  const db = await openEmbeddedDatabase(folder)
  try {
    const rows = await query<{ id: string }>(db, sql`select id from deployments`)
    const ids = rows.map(({ id }) => Number(id))
    const [counts] = await query<{ agree: boolean }>(
      db,
      sql`
        select coalesce(sum(deployments), 0) = ${ids.length} and ${ids.length === 0}
            or exists (select from latest_deployments where scope = '') as agree
        from daily_deployments`,
    )
    await makePoster(db)
    const next = await announcer(db)()
    return {
      lost: promised.filter((id) => !ids.includes(id)),
      countsAgree: counts?.agree,
      idsGoOn: next > Math.max(0, ...ids, ...promised),
    }
  } finally {
    await db.close()
  }
}

async function makePoster(db: Db): Promise<void> {
  await query(
    db,
    sql`
      with ada as (
        insert into users (username, name, password_hash) values ('ada', 'Ada', '')
        on conflict (username) do nothing returning id
      )
      insert into tokens (hash, user_id, last_four) select ${hashSecret('token')}, id, 'oken' from ada`,
  )
}

/** Announces and gives the id. */
function announcer(db: Db): () => Promise<number> {
  const record = recorder(db, 0)
  return async () => {
    const announcement = { message: 'Shipped', url: 'https://github.com/ada/engine', category: null }
    const result = await record({ tokenHash: hashSecret('token'), announcement, idempotencyKey: null })
    if (result.outcome !== 'created') throw new Error(result.outcome)
    return result.recorded.id
  }
}

/** Without a sync, nothing reaches the disk, everything does, or a part does. */
function lucks(random: () => number): readonly Luck[] {
  const chance = (part: number) => () => random() < part
  return [0, 0.5, 0.95].map((part) => ({ write: chance(part), name: chance(part) }))
}

/** The same numbers from 0 to 1 for the same seed. */
function randomFrom(seed: number): () => number {
  let n = 0
  return () => {
    n += 1
    return Bun.hash.crc32(`${seed} ${n}`) / 2 ** 32
  }
}
