import { indexWords } from '../../src/capabilities/search/indexing.ts'
import { targetRule } from '../../src/domain/target.ts'
import { categories, type DataSet, dataSetName, quickly, secondsOfAYear } from './seeding.ts'

/** This many users announced in turn, so each has 3 % of all. One more has announced nothing. */
export const writers = 33
/** host0.example.org and so on: each has a tenth of all. */
const hosts = 10
/** The number of different messages; after these they repeat. */
const messages = 131_072
const wordsEach = 25
const vocabulary = 8_192
/** Rows per statement, because a database in this process would hold more in memory. */
const atOnce = 100_000

/** How many deployments have the word `needle`. */
export const needles = 5

/**
 * Deployments to search among, indexed by the product. A message is 25 words of 8,192, of which the first ones
 * are common as words of a language are (log-uniform), and: `deployed`; `even` or `odd`; `ancient` in the older
 * half, `recent` in the newer; `crew1` to `crew33`, after who announced it.
 */
export function messagesDataSet(deployments: number): DataSet {
  const statements = quickly([
    `insert into users (id, username, name, password_hash)
      select n, 'u' || n, 'User ' || n, '' from generate_series(1, ${writers + 1}) n`,
    `create temp table vocabulary as select n, ${syllable('n % 100')} || ${syllable('n / 100')} ||
      (array['', 'ed', 'er', 'ing'])[n % 4 + 1] as word from generate_series(1, ${vocabulary}) n`,
    'create unique index on vocabulary (n)',
    `create temp table messages as
      select m, string_agg(word, ' ') as message
      from generate_series(0, ${messages - 1}) m cross join generate_series(1, ${wordsEach}) k
      join vocabulary on n = floor(exp(ln(${vocabulary}) * ${fraction(`m * ${wordsEach} + k`)}))::int
      group by m`,
    'create unique index on messages (m)',
    'analyze messages',
    ...Array.from({ length: Math.ceil(deployments / atOnce) }, (_, part) =>
      inserting(deployments, part * atOnce + 1, Math.min((part + 1) * atOnce, deployments)),
    ),
    `select setval('deployments_id_seq', ${deployments}), setval('users_id_seq', ${writers + 1})`,
  ])
  return { name: dataSetName(`messages_${deployments}`, statements), statements, finish: indexWords }
}

function inserting(deployments: number, from: number, to: number): string {
  return `
    insert into deployments (id, user_id, message, url, category, scopes, target, target_rule, deployed_at)
    select n, u, concat_ws(' ', 'deployed', case n % 2 when 0 then 'even' else 'odd' end,
        case when n <= ${deployments / 2} then 'ancient' else 'recent' end, 'crew' || u,
        case when n % ${deployments / needles} = 0 then 'needle' end, message),
      'https://' || project || '/pull/' || n, (array[${categories}])[n / 7 % 5 + 1],
      array['', host, host || '/u' || u, project], project, ${targetRule},
      now() - make_interval(secs => (${deployments} - n) * ${secondsOfAYear} / ${deployments})
    from (
      select n, n * 7 % ${writers} + 1 as u, 'host' || n / 3 % ${hosts} || '.example.org' as host
      from generate_series(${from}, ${to}) n
    ) d
    cross join lateral (select host || '/u' || u || '/p' || n % 7 as project) p
    join messages on m = n % ${messages}`
}

/** One of 100. */
function syllable(n: string): string {
  return `substr('bcdfghjklmnprstvwyzx', (${n}) / 5 + 1, 1) || substr('aeiou', (${n}) % 5 + 1, 1)`
}

/** A pseudorandom number from 0 to 1, the same in each run. */
function fraction(n: string): string {
  return `(hashint8extended(${n}, 0) & 1048575) / 1048576.0`
}
