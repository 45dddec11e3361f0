import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { findDeployments } from '../../src/data/search/finding.ts'
import { indexWords } from '../../src/data/search/indexing.ts'
import type { Db } from '../../src/database/db.ts'
import { isIn, type Search, wholeFeed } from '../../src/domain/feed-event.ts'
import { batchSize } from '../../src/domain/search/postings.ts'
import { openTestDatabase, query } from '../support/database.ts'

const count = 4 * batchSize + 700
const vocabulary =
  'cache cached Caches Größe GRÖßE кэш КЭШ 部署 latté latte\u0301 ui build v2.4.0 #412 SKIP_LOCKED ✨'.split(
    ' ',
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
      insert into deployments (user_id, message, url, category, scopes, deployed_at)
      select r.user_id, message, url, category, array(select jsonb_array_elements_text(scopes)), now()
      from jsonb_to_recordset(${JSON.stringify(Array.from({ length: count }, (_, n) => rowOf(n)))}::jsonb)
        as r(user_id bigint, message text, url text, category text, scopes jsonb)`,
  )
}, 120_000)
afterAll(() => db.close())

function rowOf(n: number) {
  const word = (salt: number) => vocabulary[((n * salt) % 8191) % vocabulary.length]
  const project = `github.com/u${n % 5}/p${n % 50}`
  const era = n < 3_000 ? 'ancient' : 'recent'
  return {
    user_id: 1 + (n % 5),
    message: `${word(7919)} ${word(104_729)} ${era} ${n % 2 === 0 ? 'even' : 'odd'}\n${n % 97 === 0 ? 'rarely' : ''}`,
    url: n % 7 === 0 ? null : `https://${project}/pull/${n}`,
    category: n % 3 === 0 ? 'bug_fix' : null,
    scopes: n % 7 === 0 ? [''] : ['', 'github.com', `github.com/u${n % 5}`, project],
  }
}

const none: Search = { ...wholeFeed, words: [] }
const searches: readonly (readonly [string, Search])[] = [
  ['a common word', { ...none, words: ['recent'] }],
  ['a word that is long gone', { ...none, words: ['ancient'] }],
  ['a rare word', { ...none, words: ['rarely'] }],
  ['two common words that never meet', { ...none, words: ['odd', 'even'] }],
  ['the beginning of words', { ...none, words: ['cach'] }],
  ['a short word that is in others', { ...none, words: ['ui'] }],
  ['letters beyond ASCII', { ...none, words: ['große', 'кэш'] }],
  ['accents', { ...none, words: ['latte'] }],
  ['characters', { ...none, words: ['署'] }],
  ['a number of a link', { ...none, words: ['4001'] }],
  ['a user and a word', { ...none, userId: 2, words: ['locked'] }],
  ['a host', { ...none, scope: 'github.com' }],
  [
    'a project, a category and a word',
    { ...none, scope: 'github.com/u1/p1', category: 'bug_fix', words: ['cache'] },
  ],
  ['nothing that there is', { ...none, words: ['nothing'] }],
]

describe.each([
  ['without an index', 0],
  ['with an index', 4],
])('Page by page, a search %s finds exactly what has it:', (_, batches) => {
  beforeAll(() => (batches === 0 ? undefined : indexWords(db)), 120_000)

  test.each(searches)('%s', async (_, search) => {
    expect(await query(db, sql`select count(*)::int as n from search_batches`)).toMatchObject([
      { n: batches },
    ])
    const found = await allFound(search)
    expect(found).toEqual(await allThatAre(search))
  })
})

test('what is deleted is not found, and soon its words are gone', async () => {
  const search = { ...none, words: ['rarely'], userId: 3 }
  const [first = 0, ...rest] = (await allThatAre(search)).reverse()
  await query(db, sql`update deployments set message = 'secretword' where id = ${first}`)
  await indexWords(db)
  expect(await allFound({ ...none, words: ['secretword'] })).toEqual([first])
  await query(db, sql`delete from deployments where id = ${first}`)
  expect(await allFound({ ...none, words: ['secretword'] })).toEqual([])
  await indexWords(db)
  const kept = await query(db, sql`select from search_pages where strpos(lines, 'secretword') > 0`)
  expect(kept).toHaveLength(0)
  expect(await allFound(search)).toEqual(rest.reverse())
})

/** The ids of every page, going on where a search has stopped. */
async function allFound(search: Search): Promise<number[]> {
  const ids: number[] = []
  for (let before: number | null = null; ; ) {
    const { deployments, older, rest } = await findDeployments(db, { ...search, before })
    ids.push(...deployments.map(({ id }) => id))
    before = older ?? rest?.before ?? null
    if (before === null) return ids
  }
}

async function allThatAre(search: Search): Promise<number[]> {
  const stored = await query<{ id: number } & ReturnType<typeof rowOf>>(
    db,
    sql`
      select id::float8 as id, user_id::float8 as user_id, message, url, category, to_jsonb(scopes) as scopes
      from deployments order by id desc`,
  )
  return stored
    .filter(({ id, user_id, message, url, category, scopes }) => {
      const poster = { id: user_id, username: '', name: '' }
      const deployment = {
        id,
        message,
        url,
        category: category as 'bug_fix' | null,
        deployedAt: new Date(0),
        poster,
      }
      return isIn(search, { kind: 'announced', id, deployment, scopes })
    })
    .map(({ id }) => id)
}
