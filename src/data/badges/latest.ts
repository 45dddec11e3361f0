import { batch } from '../../database/batch.ts'
import { type Db, rowOfWritten } from '../../database/db.ts'

/** A username as it is stored, and a scope of domain/target.ts. */
export type LatestQuestion = { readonly username: string; readonly scope: string }

/** `isKnown` says whether the user exists; times are the database's. */
export type LatestAnswer = { readonly isKnown: boolean; readonly latest: Date | null; readonly now: Date }

/** Makes the function that finds a user's latest deployment in a scope. */
export function latestDeploymentReader(db: Db): (question: LatestQuestion) => Promise<LatestAnswer> {
  const read = async (questions: readonly LatestQuestion[]) => {
    const asked = [JSON.stringify(questions)]
    const row = await db.read((queries) => rowOfWritten<LatestRow>(queries, statement, asked), 'reserved')
    const now = new Date(row.now_ms)
    const words = row.found.split(' ')
    const answers: LatestAnswer[] = []
    for (let place = 0; place < words.length; place += 2) {
      const found = words[place + 1] as string
      const isKnown = found !== 'unknown'
      const latest = isKnown && found !== 'none' ? new Date(Number(found)) : null
      answers[Number(words[place]) - 1] = { isKnown, latest, now }
    }
    return answers
  }
  return batch(db, 'badges', read, { inFlight: 2, batchSize: 1_000 })
}

type LatestRow = { readonly found: string; readonly now_ms: number }

// All answers are one text, each after the number of its question: Postgres writes that faster than JSON. The
// two subqueries are two probes of unique indexes; with joins, the planner would read all scopes of a user.
const statement = `
  select
    string_agg(
      q.n || ' ' || coalesce(
        (
          select coalesce((
            select (date_part('epoch', l.deployed_at) * 1000)::text
            from latest_deployments l where l.user_id = u.id and l.scope = q.scope
          ), 'none')
          from users u where u.username = q.username
        ),
        'unknown'
      ),
      ' '
    ) as found,
    date_part('epoch', statement_timestamp()) * 1000 as now_ms
  from rows from (json_to_recordset($1::text::json) as (username text, scope text))
    with ordinality as q(username, scope, n)`
