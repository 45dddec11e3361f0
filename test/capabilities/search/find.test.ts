import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { countResults, findDeployments } from '../../../src/capabilities/search/find.ts'
import { indexWords } from '../../../src/capabilities/search/indexing.ts'
import { isExact } from '../../../src/capabilities/search/postings.ts'
import { maxCounted } from '../../../src/capabilities/search/question.ts'
import { searchedPart, type WordSearch } from '../../../src/capabilities/search/search.ts'
import type { Db } from '../../../src/database/db.ts'
import { isIn } from '../../../src/domain/feed/feed.ts'
import { batchSize } from '../../../src/domain/feed/id-batch.ts'
import { openTestDatabase, query } from '../../support/database.ts'
import { noSearch } from '../../support/deployments.ts'
import { eventually } from '../../support/eventually.ts'

const batches = 2
const count = batches * batchSize + 700
const vocabulary =
  `cache cached Caches Größe GRÖßE кэш КЭШ 部署 latté latte\u0301 ui build v2.4.0 #412 SKIP_LOCKED ✨
  Z\u0301\u0316\u0327\u0334\u0345\u0315al\u0315\u0301\u0316\u0327\u0334\u0345go \u0e01\u0e34\u0e38\u0e48\u0e34\u05b0b`.split(
    /\s+/,
  )

let db: Db

beforeAll(async () => {
  db = await openTestDatabase()
  await query(
    db,
    sql`insert into users (username, name, password_hash) select 'u' || n, 'U', '' from generate_series(0, 4) n`,
  )
  await query(
    db,
    sql`
      insert into deployments (user_id, message, url, category, environment, scopes, deployed_at)
      select r.user_id, message, url, category, environment, array(select jsonb_array_elements_text(scopes)),
        to_timestamp(deployed_at / 1000)
      from jsonb_to_recordset(${JSON.stringify(Array.from({ length: count }, (_, n) => rowOf(n)))}::jsonb)
        as r(user_id bigint, message text, url text, category text, environment text, scopes jsonb, deployed_at float8)`,
  )
  stored = await query<Stored>(
    db,
    sql`
      select id::float8 as id, user_id::float8 as user_id, message, url, category, environment,
        to_jsonb(scopes) as scopes,
        extract(epoch from deployed_at)::float8 * 1000 as deployed_at
      from deployments order by id desc`,
  )
})
afterAll(() => db.close())

/** One is deployed every second. */
const instantOf = (n: number) => new Date(Date.UTC(2024, 0, 1) + n * 1_000)

const environments = ['staging', 'EU/Production', null, null, null]

function rowOf(n: number) {
  const word = (salt: number) => vocabulary[((n * salt) % 8191) % vocabulary.length]
  const project = `github.com/u${n % 5}/p${n % 50}`
  const era = n < 1_500 ? 'ancient' : 'recent'
  return {
    user_id: 1 + (n % 5),
    message: `${word(7919)} ${word(104_729)} ${era} ${n % 2 === 0 ? 'even' : 'odd'}\n${n % 97 === 0 ? 'rarely staging' : ''}`,
    url: n % 7 === 0 ? null : `https://${project}/pull/${n}`,
    category: n % 3 === 0 ? 'bug_fix' : null,
    environment: environments[n % environments.length] ?? null,
    deployed_at: instantOf(n).getTime(),
    scopes: n % 7 === 0 ? [''] : ['', 'github.com', `github.com/u${n % 5}`, project],
  }
}

const searches: readonly (readonly [string, WordSearch])[] = [
  ['a common word', { ...noSearch, words: ['recent'] }],
  ['a word that is long gone', { ...noSearch, words: ['ancient'] }],
  ['a rare word', { ...noSearch, words: ['rarely'] }],
  ['two common words that never meet', { ...noSearch, words: ['odd', 'even'] }],
  ['the beginning of words', { ...noSearch, words: ['cach'] }],
  ['a short word that is in others', { ...noSearch, words: ['ui'] }],
  ['letters beyond ASCII', { ...noSearch, words: ['große', 'кэш'] }],
  ['accents', { ...noSearch, words: ['latte'] }],
  ['more marks than are compared', { ...noSearch, words: ['zalgo'] }],
  ['what follows marks that are not compared', { ...noSearch, words: ['b'] }],
  ['a Chinese character', { ...noSearch, words: ['署'] }],
  ['a number of a link', { ...noSearch, words: ['4001'] }],
  ['a user and a word', { ...noSearch, userId: 2, words: ['locked'] }],
  ['a host', { ...noSearch, scope: 'github.com' }],
  [
    'a project, a category and a word',
    { ...noSearch, scope: 'github.com/u1/p1', by: { category: 'bug_fix' }, words: ['cache'] },
  ],
  [
    'an environment, whose name is in messages too',
    { ...noSearch, by: { environment: 'staging' }, words: ['rarely'] },
  ],
  ['an environment of two words', { ...noSearch, by: { environment: 'eu/production' }, userId: 1 }],
  ['a phrase', { ...noSearch, phrases: [['even', 'rarely']] }],
  ['a phrase whose words are in another order', { ...noSearch, phrases: [['rarely', 'even']] }],
  ['a phrase of one word, which finds only itself', { ...noSearch, phrases: [['cache']] }],
  ['not longer words', { ...noSearch, words: ['cache'], without: { words: ['cached'], phrases: [] } }],
  ['not a phrase', { ...noSearch, words: ['rarely'], without: { words: [], phrases: [['odd', 'rarely']] } }],
  ['a word without itself', { ...noSearch, words: ['recent'], without: { words: ['recent'], phrases: [] } }],
  ['a word of no deployment', { ...noSearch, words: ['nothing'] }],
]

describe.each([
  ['without an index', 0],
  ['with an index', batches],
])('Page by page, a search %s finds exactly the deployments that match:', (_, indexed) => {
  beforeAll(() => (indexed === 0 ? undefined : indexWords(db)))

  test.each(searches)('%s', async (_, search) => {
    expect(await query(db, sql`select count(*)::int as n from search_batches`)).toMatchObject([
      { n: indexed },
    ])
    await expectPages(search)
  })

  test.each([
    ['its beginning', 0, 1],
    ['a part of a batch', 100, 1_600],
    ['parts of two batches', batchSize - 400, batchSize + 400],
    ['a batch', batchSize - 1, 2 * batchSize - 1],
    ['the end of the index and what follows', 2 * batchSize - 300, count - 300],
    ['what follows the index', count - 600, count + 1],
    ['everything', -1, count + 1],
    ['nothing', count + 1, count + 2],
  ])('those of a time: %s, and counts them', async (_, first, end) => {
    const time = { from: instantOf(first), to: instantOf(end) }
    for (const words of [['cach'], ['rarely'], ['ancient']]) {
      const search = { ...noSearch, words }
      const expected = stored
        .filter(({ deployed_at: at }) => at >= time.from.getTime() && at < time.to.getTime())
        .map(({ id }) => id)
        .filter((id) => allThatAre(search).includes(id))
      const found: number[] = []
      for (let before: number | null = null; ; ) {
        const page = await findDeployments(db, { ...search, time, before, limit: 100 })
        if (before === null) {
          const { isAll, found } = await countResults(db, search, page, time)
          if (isAll) expect([words, found]).toEqual([words, expected.length])
          else expect(expected.length).toBeGreaterThanOrEqual(Math.min(found, maxCounted))
        }
        found.push(...page.deployments.map(({ id }) => id))
        before = page.older ?? page.rest?.before ?? null
        if (before === null) break
      }
      expect([words, found]).toEqual([words, expected])
    }
  })

  test.each(searches)('%s, and counts them', async (_, search) => {
    const counted = await countResults(db, search, await findDeployments(db, { ...search, before: null }))
    const { length } = allThatAre(search)
    if (counted.isAll) expect(counted.found).toBe(length)
    else if (counted.found <= maxCounted) expect(length).toBeGreaterThanOrEqual(counted.found)
    else expect(length).toBeGreaterThan(maxCounted)
    // Where the index decides what is found, a count goes on to its bound, except if a busy machine was slow.
    if (indexed === 0 || !isExact(search)) return
    await eventually('a count goes on to its bound', async () => {
      const { isAll, found } = await countResults(
        db,
        search,
        await findDeployments(db, { ...search, before: null }),
      )
      return isAll || found > maxCounted
    })
  })
})

test('deleted deployments are not found, and their words leave the index soon', async () => {
  const search = { ...noSearch, words: ['rarely'], userId: 3 }
  const [first = 0, ...rest] = allThatAre(search).toReversed()
  await query(db, sql`update deployments set message = 'secretword' where id = ${first}`)
  await indexWords(db)
  expect(await allFound({ ...noSearch, words: ['secretword'] })).toEqual([first])
  await query(db, sql`delete from deployments where id = ${first}`)
  expect(await allFound({ ...noSearch, words: ['secretword'] })).toEqual([])
  await indexWords(db)
  const kept = await query(db, sql`select from search_pages where strpos(lines, 'secretword') > 0`)
  expect(kept).toHaveLength(0)
  expect(await allFound(search)).toEqual(rest.reverse())
})

/** Of a search with more results than this, one page in ten is checked: only its beginning decides what a page has. */
const manyFinds = 250
const pagesSkipped = 9

/** Expects the pages of a search to hold all deployments that match, the newest first. */
async function expectPages(search: WordSearch): Promise<void> {
  const expected = allThatAre(search)
  let position = 0
  for (let before: number | null = null; ; ) {
    const page = await pageOf(search, before)
    expect(page.ids).toEqual(expected.slice(position, position + page.ids.length))
    position += page.ids.length
    before = page.before
    if (before === null) break
    if (expected.length > manyFinds && position + (pagesSkipped + 1) * page.ids.length < expected.length) {
      position += pagesSkipped * page.ids.length
      before = expected[position - 1] ?? before
    }
  }
  expect(position).toBe(expected.length)
}

/** The ids of every page. */
async function allFound(search: WordSearch): Promise<number[]> {
  const ids: number[] = []
  for (let before: number | null = null; ; ) {
    const page = await pageOf(search, before)
    ids.push(...page.ids)
    before = page.before
    if (before === null) return ids
  }
}

/** The ids of a page, and where to go on: at older ones, or where the search has stopped. */
async function pageOf(
  search: WordSearch,
  from: number | null,
): Promise<{ ids: number[]; before: number | null }> {
  const { deployments, older, rest } = await findDeployments(db, { ...search, before: from })
  return { ids: deployments.map(({ id }) => id), before: older ?? rest?.before ?? null }
}

type Stored = ReturnType<typeof rowOf> & { readonly id: number }
/** What is in the database at first, the newest first. */
let stored: readonly Stored[]
/** What each search must find. To work this out takes longer than the search itself. */
const known = new Map<WordSearch, readonly number[]>()

function allThatAre(search: WordSearch): readonly number[] {
  const ids = known.get(search) ?? matching(search)
  known.set(search, ids)
  return ids
}

function matching(search: WordSearch): number[] {
  return stored
    .filter(({ id, user_id, message, url, category, environment, scopes }) => {
      const poster = { id: user_id, username: '', name: '' }
      const deployment = {
        id,
        message,
        url,
        category: category as 'bug_fix' | null,
        ...(environment === null ? {} : { environment }),
        deployedAt: new Date(0),
        poster,
      }
      return isIn(searchedPart(search), { kind: 'announced', id, deployment, scopes })
    })
    .map(({ id }) => id)
}
