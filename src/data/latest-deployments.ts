import { coalesce } from '../database/coalesce.ts'
import type { Db } from '../database/db.ts'
import { observed } from '../database/observed.ts'
import { rowOfWritten } from '../database/sql.ts'

/** The badge that is asked for: a username as stored, and a scope of domain/target.ts. */
export type LatestQuestion = { readonly username: string; readonly scope: string }

/** `isKnown` is whether the user exists; times are the database's. */
export type LatestAnswer = { readonly isKnown: boolean; readonly latest: Date | null; readonly now: Date }

/** Makes the function that finds a user's latest deployment in a scope; throws Unavailable. */
export function latestDeploymentReader(db: Db): (question: LatestQuestion) => Promise<LatestAnswer> {
  const ask = observed<LatestQuestion, LatestAnswer>(db, 'badges', (questions) => readLatest(db, questions))
  return coalesce(ask, { inFlight: 2, batchSize: 1_000 })
}

/**
 * One text for all answers, each after the number of its question, which Postgres writes sooner than JSON. The
 * subqueries make an answer two probes of unique indexes; with joins, the planner reads all scopes of a user.
 */
const statement = `
  select
    string_agg(
      q.n || ' ' || coalesce(
        (
          select coalesce(
            (
              select (date_part('epoch', l.deployed_at) * 1000)::text
              from latest_deployments l
              where l.user_id = u.id and l.scope = q.scope
            ),
            'none'
          )
          from users u
          where u.username = q.username
        ),
        'unknown'
      ),
      ' '
    ) as found,
    date_part('epoch', statement_timestamp()) * 1000 as now_ms
  from rows from (json_to_recordset($1::text::json) as (username text, scope text))
    with ordinality as q(username, scope, n)`

type Row = { readonly found: string; readonly now_ms: number }

async function readLatest(db: Db, questions: readonly LatestQuestion[]): Promise<readonly LatestAnswer[]> {
  const row = await db.read((queries) => rowOfWritten<Row>(queries, statement, [JSON.stringify(questions)]))
  const now = new Date(row.now_ms)
  const answers: LatestAnswer[] = []
  const words = row.found.split(' ')
  for (let place = 0; place < words.length; place += 2) {
    const found = words[place + 1] as string
    const isKnown = found !== 'unknown'
    const latest = isKnown && found !== 'none' ? new Date(Number(found)) : null
    answers[Number(words[place]) - 1] = { isKnown, latest, now }
  }
  return answers
}
