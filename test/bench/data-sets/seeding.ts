import { sql } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import { counting } from '../../../src/data/counting.ts'
import { targetRule } from '../../../src/domain/target.ts'
import { allPosters, users } from './people.ts'

/**
 * The statements that fill an empty database: 10,000 users and so many deployments of the last year, dealt
 * out evenly, each with a link of its own on github.com. Scopes and targets are as domain/ would make them,
 * in SQL because that is a hundred times as fast.
 */
export function seeding(deployments: number): readonly string[] {
  return [
    // No trigger fires then, so millions of foreign keys are not checked.
    'set session_replication_role = replica',
    'truncate users, deployments, latest_deployments, targets, daily_deployments, tokens cascade',
    `insert into users (id, username, name, password_hash)
      select n, 'u' || n, 'User ' || n, '' from generate_series(1, ${users}) n`,
    `insert into tokens (hash, user_id, last_four) values ${allPosters()
      .map(({ hash, userId, token }) => `('${hash}', ${userId}, '${token.slice(-4)}')`)
      .join(', ')}`,
    `insert into deployments (id, user_id, message, url, category, scopes, target, target_rule, deployed_at)
      select n, u, '✨ Saved searches, part ' || n, 'https://' || project || '/pull/' || n,
        (array[${categories}])[n % 5 + 1], array['', 'github.com', owner, project], project, ${targetRule},
        now() - make_interval(secs => (${deployments} - n) * ${secondsOfAYear} / ${deployments})
      from (select n, n::bigint * 7919 % ${users} + 1 as u from generate_series(1, ${deployments}) n) d
      cross join lateral (select 'github.com/u' || u as owner) o
      cross join lateral (select owner || '/p' || n % 7 as project) p`,
    ...Object.values(counting(sql`deployments`)).map(
      (statement) => new PgDialect().sqlToQuery(statement).sql,
    ),
    `select setval('deployments_id_seq', ${deployments}), setval('users_id_seq', ${users})`,
    'set session_replication_role = origin',
  ]
}

const secondsOfAYear = '31536000.0'
const categories = "'feature', 'bug_fix', 'performance_improvement', 'styling_change', null"

/** Tells whether a database holds this data set: one row, whose column `is_seeded` says it. */
export function isSeededQuery(deployments: number): string {
  return `select (select count(*) from deployments) = ${deployments}
    and (select count(*) from users) = ${users} and (select count(*) from tokens) = ${allPosters().length} 
    and (select target_rule from deployments limit 1) = ${targetRule} as is_seeded`
}
