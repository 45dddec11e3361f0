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
    `insert into deployments (id, user_id, message, url, category, scopes, target, deployed_at)
      select n, u, '✨ Saved searches, part ' || n, 'https://' || pull, (array[${categories}])[n % 5 + 1],
        array['', 'github.com', owner, project, project || '/pull', pull,
          'com', substr(owner, 8), substr(project, 8), substr(project, 8) || '/pull', substr(pull, 8)],
        project, now() - make_interval(secs => (${deployments} - n) * ${secondsOfAYear} / ${deployments})
      from (select n, n::bigint * 7919 % ${users} + 1 as u from generate_series(1, ${deployments}) n) d
      cross join lateral (select 'github.com/u' || u as owner) o
      cross join lateral (select owner || '/p' || n % 7 as project) p
      cross join lateral (select project || '/pull/' || n as pull) l`,
    `insert into targets (user_id, target, deployed_at)
      select user_id, target, max(deployed_at) from deployments group by 1, 2`,
    `insert into daily_deployments (user_id, day, deployments)
      select user_id, (deployed_at at time zone 'UTC')::date, count(*) from deployments group by 1, 2`,
    // What many deployments have in common, then the two scopes that are each one's own.
    `insert into latest_deployments (user_id, scope, deployed_at)
      select user_id, scope, max(latest) from (
        select user_id, scopes[:5] || scopes[7:10] as shared, max(deployed_at) as latest
        from deployments group by 1, 2
      ) s cross join lateral unnest(shared) as scope group by 1, 2`,
    `insert into latest_deployments (user_id, scope, deployed_at)
      select user_id, scope, deployed_at
      from deployments cross join lateral unnest(array[scopes[6], scopes[11]]) as scope order by user_id`,
    `select setval('deployments_id_seq', ${deployments}), setval('users_id_seq', ${users})`,
    'set session_replication_role = origin',
  ]
}

const secondsOfAYear = '31536000.0'
const categories = "'feature', 'bug_fix', 'performance_improvement', 'styling_change', null"

/** Tells whether a database holds this data set: one row, whose column `is_seeded` says it. */
export function isSeededQuery(deployments: number): string {
  return `select (select count(*) from deployments) = ${deployments}
    and (select count(*) from users) = ${users} and (select count(*) from tokens) = ${allPosters().length} as is_seeded`
}
