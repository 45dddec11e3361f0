import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import {
  type DeploymentRecord,
  type Recording,
  type RecordingOutcome,
  recorder,
} from '../../src/data/recording.ts'
import { query } from '../support/database.ts'
import { passMidnight } from '../support/eventually.ts'
import { useService } from '../support/service.ts'

const service = await useService()
const db = service.db

/** A call by one of three users, of whom the last uses the token of a publisher, or by nobody; few links and keys. */
const call = fc.record({
  user: fc.constantFrom(0, 1, 2, null),
  message: fc.constantFrom('one', 'two'),
  url: fc.constantFrom(
    null,
    'https://ada.example/',
    'https://github.com/ada/engine/pull/1',
    'https://github.com/ada/engine.git',
    'https://github.com/ada/other',
  ),
  category: fc.constantFrom('feature', null),
  environment: fc.constantFrom('production', null),
  version: fc.constantFrom('1.2.0', null),
  commit: fc.constantFrom('0a1b2c3', null),
  hops: fc.constantFrom(0, 1, undefined),
  key: fc.constantFrom(null, null, null, 'a', 'b'),
})
type Call = typeof call extends fc.Arbitrary<infer One> ? One : never

const batches = fc.record({
  rate: fc.constantFrom(0, 3, 6, 1_000),
  // How many each user posted half a minute ago.
  posted: fc.array(fc.nat(6), { minLength: 3, maxLength: 3 }),
  batches: fc.array(fc.array(call, { minLength: 4, maxLength: 16 }), { minLength: 1, maxLength: 2 }),
})

test('calls that are recorded together leave the same rows and get the same answers as calls one by one', async () => {
  await passMidnight(30_000)
  let runs = 0
  await fc.assert(
    fc.asyncProperty(batches, async ({ rate, posted, batches }) => {
      runs += 1
      const [together, apart] = [`together-${runs}`, `apart-${runs}`]
      for (const group of [together, apart]) await makeUsers(group, posted)
      const record = recorder(db, rate)
      for (const calls of batches) {
        const answers = await Promise.all(calls.map((one) => record(recording(together, one))))
        const expected: RecordingOutcome[] = []
        for (const one of calls) expected.push(await record(recording(apart, one)))
        const [shownTogether, shownApart] = [await messagesOf(together), await messagesOf(apart)]
        expect(answers.map((answer) => shown(answer, shownTogether))).toEqual(
          expected.map((answer) => shown(answer, shownApart)),
        )
      }
      expect(await rowsOf(together)).toEqual(await rowsOf(apart))
      expect(await wronglyCounted()).toEqual([])
    }),
    { numRuns: 60 },
  )
}, 300_000)

function recording(group: string, { user, key, hops, ...announcement }: Call): Recording {
  return { tokenHash: `${group}-${user}`, announcement, idempotencyKey: key, hops } as Recording
}

async function makeUsers(group: string, posted: readonly number[]): Promise<void> {
  for (const [n, posts] of posted.entries()) {
    const username = `${group}-${n}`
    await query(
      db,
      sql`
        with maker as (
          insert into users (username, name, password_hash) values (${username}, ${`User ${n}`}, '') returning id
        ), publisher as (
          insert into publishers (user_id, issuer, repository) select id, 'https://ci.example', 'ada/engine'
          from maker where ${n === 2} returning id
        ), token as (
          insert into tokens (hash, user_id, last_four, name, publisher_id, environment, version, commit, verifies, verified)
          select ${username}, maker.id, '0000', ${`pipeline of ${n}`}, publisher.id, 'staging', '1.1.9', 'fedcba9',
            'github.com/ada/engine', '{ci.example,ada/engine}'
          from maker left join publisher on true
        )
        insert into deployments (user_id, message, scopes, deployed_at)
        select id, 'earlier', array['']::text[], now() - interval '30 seconds'
        from maker, generate_series(1, ${posts}::int)`,
    )
  }
}

type Shown = ReadonlyMap<number, string>

/** By id, each deployment of a group: its number among those of its user, and all that it says. */
async function messagesOf(group: string): Promise<Shown> {
  const rows = await query<{ id: number; text: string }>(
    db,
    sql`
      select d.id::int as id, concat_ws(' ', row_number() over (partition by user_id order by d.id), name, message, url,
        category, environment, scopes, target, target_rule, idempotency_key, posted_as,
        'version', version, 'commit', commit, 'hops', hops, 'verified', verified, 'token', token) as text
      from deployments d join users u on u.id = user_id where username like ${`${group}-%`}`,
  )
  return new Map(rows.map(({ id, text }) => [id, text]))
}

/** An answer without what differs between the groups: ids, instants and usernames. */
function shown(answer: RecordingOutcome, messages: Shown): unknown {
  const { outcome } = answer
  if (outcome === 'unauthorized' || outcome === 'forbidden') return { outcome }
  const { posted, freeInSeconds } = answer.quota
  const found =
    outcome === 'rate_limited' ? null : outcome === 'idempotency_key_reused' ? answer.owner : answer.recorded
  return {
    outcome,
    posted,
    // The earlier posts leave the minute in half a minute, new ones in a whole one.
    free: freeInSeconds > 40 ? 'later' : freeInSeconds > 0 ? 'soon' : 'now',
    name: found?.poster.name,
    row: found === null ? null : messages.get(found.id),
    recorded: 'recorded' in answer ? shownRecord(answer.recorded, messages) : null,
  }
}

function shownRecord(recorded: DeploymentRecord, messages: Shown): unknown {
  const { replaced } = recorded
  const shownReplaced = replaced ? { ...replaced, id: messages.get(replaced.id) } : null
  return { ...recorded, id: null, deployedAt: null, poster: null, replaced: shownReplaced }
}

/** What recording wrote for a group, without ids and instants, in order. */
async function rowsOf(group: string): Promise<readonly string[]> {
  const rows = await query<{ text: string }>(
    db,
    sql`
      with own as (select * from users where username like ${`${group}-%`})
      select text from (
        select concat_ws(' ', 'latest', u.name, scope, target_rule) as text from latest_deployments join own u on u.id = user_id
        union all select concat_ws(' ', 'target', u.name, target, target_rule) from targets join own u on u.id = user_id
        union all select concat_ws(' ', 'scope', u.name, scope, target) from target_scopes join own u on u.id = user_id
        union all select concat_ws(' ', 'day', u.name, day, deployments) from daily_deployments join own u on u.id = user_id
        union all select concat_ws(' ', 'target day', u.name, target, day, deployments) from target_days join own u on u.id = user_id
        union all select concat_ws(' ', 'token', u.name, last_used_at is null) from tokens join own u on u.id = user_id
      ) rows order by text collate "C"`,
  )
  return [...rows.map(({ text }) => text), ...[...(await messagesOf(group)).values()].toSorted()]
}

/** The scopes and targets whose instant is not that of their latest deployment. */
async function wronglyCounted(): Promise<readonly object[]> {
  return await query(
    db,
    sql`
      select user_id, scope from latest_deployments l where deployed_at <>
        (select max(deployed_at) from deployments d where d.user_id = l.user_id and l.scope = any (scopes))
      union all
      select user_id, target from targets t where deployed_at <>
        (select max(deployed_at) from deployments d where d.user_id = t.user_id and d.target = t.target)`,
  )
}
