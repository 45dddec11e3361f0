import { sql } from 'drizzle-orm'
import type { SearchRequest } from '../../src/capabilities/search/find.ts'
import { findDeployments } from '../../src/capabilities/search/find.ts'
import { listDeployments } from '../../src/data/feed-pages.ts'
import { type Db, oneRowOf } from '../../src/database/db.ts'
import { openPostgres } from '../../src/database/postgres/open.ts'
import { wholeFeed } from '../../src/domain/feed/feed.ts'
import { openLocalDatabase } from '../../test/support/database.ts'
import { noSearch } from '../../test/support/deployments.ts'
import { keptDirectory } from '../data-sets/local.ts'
import { messagesDataSet, writers } from '../data-sets/messages.ts'
import { keptDatabase } from '../data-sets/server.ts'
import { longestHold } from '../hold.ts'
import { percentile } from '../rounds.ts'
import type { Row } from '../table.ts'
import { inMegabytes, inMs } from '../table.ts'
import type { Extent } from './section.ts'

const all = { ...noSearch, before: null }
const commonWords = 'deployed recent crew pull beb bib bob bub cab ceb cib cob'.split(' ')
const searches: readonly (readonly [what: string, search: SearchRequest])[] = [
  ['a word of every deployment', { ...all, words: ['deployed'] }],
  ['a word of the newer half', { ...all, words: ['recent'] }],
  ['a word of the older half', { ...all, words: ['ancient'] }],
  ['the beginning of common words', { ...all, words: ['cab'] }],
  ['a word of 5', { ...all, words: ['needle'] }],
  ['a word of none', { ...all, words: ['nowhere'] }],
  ['two words of half of them that never meet', { ...all, words: ['odd', 'even'] }],
  ['a user of 3 %', { ...all, userId: 1 }],
  ['that user, and a word of everybody else', { ...all, words: ['crew2'], userId: 1 }],
  ['that user, and a word of none', { ...all, words: ['nowhere'], userId: 1 }],
  ['a user of none', { ...all, userId: writers + 1 }],
  ['a host of a tenth', { ...all, scope: 'host3.example.org' }],
  [
    'that host, a category and two words that never meet',
    { ...all, words: ['odd', 'even'], scope: 'host3.example.org', by: { category: 'bug_fix' } },
  ],
  ['12 words', { ...all, words: commonWords }],
  ['12 words, of which two never meet', { ...all, words: [...commonWords.slice(0, 10), 'odd', 'even'] }],
]

/** The longest that a search may block the process, because all others wait. */
const maxHeld = { atMost: 100 }

/** Pages of searches in many deployments, with the plain page of the feed as the peer. */
export async function search({ rounds, searched }: Extent): Promise<readonly Row[]> {
  const dataSet = messagesDataSet(searched)
  const what = `of ${searched.toLocaleString('en')}`
  const onServer = await openPostgres(await keptDatabase(dataSet))
  await onServer.migrated
  const rows = await rowsOf(onServer, { rounds, what })
  await onServer.close()
  const local = await openLocalDatabase(await keptDirectory(dataSet))
  rows.push(...(await rowsOf(local, { rounds, what: `${what}, local database` })))
  await local.close()
  return rows
}

async function rowsOf(db: Db, { rounds, what }: { rounds: number; what: string }): Promise<Row[]> {
  const rows: Row[] = []
  for (const [name, asked] of searches) {
    const ask = () => findDeployments(db, asked)
    const cold = await msOf(ask)
    const { deployments, rest } = await ask()
    const found = rest === null ? deployments.length : `${deployments.length}, then stops`
    const warm = await median(rounds * 2, ask)
    const peer = await median(rounds * 2, () => listDeployments(db, { ...wholeFeed, before: null }))
    const measure = await longestHold(rounds, ask)
    rows.push({
      what: `search ${what}: ${name} (${found}), first time and median; peer: a plain page; CPU time of the longest hold`,
      ours: `${inMs(cold)}, ${inMs(warm)}`,
      peer: inMs(peer),
      measure,
      unit: ' ms',
      aim: maxHeld,
    })
  }
  return [...rows, await weight(db, what)]
}

async function weight(db: Db, what: string): Promise<Row> {
  const { index, all } = await db.write((queries) =>
    oneRowOf<{ index: number; all: number }>(
      queries,
      sql`
        select pg_total_relation_size('search_pages')::float8 as index,
          pg_total_relation_size('deployments')::float8 as all`,
    ),
  )
  return {
    what: `search ${what}: what the index weighs; peer: the deployments with theirs`,
    ours: inMegabytes(index),
    peer: inMegabytes(all),
    measure: index / all,
  }
}

async function median(times: number, work: () => Promise<unknown>): Promise<number> {
  const taken: number[] = []
  for (let n = 0; n < times; n++) taken.push(await msOf(work))
  return percentile(taken, 0.5)
}

async function msOf(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}
