import { and, desc, eq, getTableColumns, lt, type SQL, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { chunked, chunkSize, type Db, inMs, nowInMs, oneRowOf } from '../database/db.ts'
import type { Verification } from '../domain/deployment.ts'
import { devices, passwordLinks, publishers, readKeys, sessions, tokens, users } from './account/schema.ts'
import { intakeCalls, intakes } from './intake/schema.ts'
import { deployments, historyDays, refusals } from './schema.ts'
import { allRows } from './statements.ts'
import { webhooks } from './webhooks/schema.ts'

const verifiedAsObject = sql<Verification | null>`
  case when verified is not null
    then json_build_object('issuer', verified[1], 'repository', verified[2], 'workflow', verified[3]) end`

/** Columns of a table by their names in the database, which are those of the export. */
function columnsOf(table: PgTable, ...names: readonly string[]): Record<string, PgColumn> {
  const columns: Record<string, PgColumn> = getTableColumns(table)
  return Object.fromEntries(
    names.map((name) => {
      const column = columns[name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())]
      if (column === undefined) throw new Error(`the export has no column ${name}`)
      return [name, column]
    }),
  )
}

type Section = {
  readonly from: PgTable & { readonly userId: PgColumn }
  readonly columns: Record<string, PgColumn | SQL>
  readonly order?: PgColumn | SQL
}

/** The lists of an export, without secrets. */
const sections: Readonly<Record<string, Section>> = {
  tokens: {
    from: tokens,
    columns: {
      ...columnsOf(tokens, 'id', 'name', 'last_four', 'may', 'targets', 'environments', 'ends_on'),
      ...columnsOf(tokens, 'created_at', 'last_used_at', 'last_used_from', 'expires_at'),
      ...columnsOf(tokens, 'publisher_id', 'environment', 'version', 'commit', 'verifies'),
      verified: verifiedAsObject,
    },
    order: tokens.createdAt,
  },
  read_keys: { from: readKeys, columns: columnsOf(readKeys, 'last_four', 'created_at', 'last_used_at') },
  publishers: {
    from: publishers,
    columns: {
      ...columnsOf(publishers, 'id', 'issuer', 'repository', 'repository_id', 'owner_id'),
      ...columnsOf(publishers, 'workflow', 'environment', 'created_at', 'last_used_at'),
    },
    order: publishers.id,
  },
  webhooks: {
    from: webhooks,
    columns: {
      id: webhooks.id,
      // An address may be a secret, as those of chats are.
      host: sql`split_part(${webhooks.url}, '/', 3)`,
      ...columnsOf(webhooks, 'format', 'targets', 'environments', 'categories', 'withdrawals'),
      ...columnsOf(webhooks, 'paused_at', 'created_at'),
    },
    order: webhooks.id,
  },
  intakes: {
    from: intakes,
    columns: {
      ...columnsOf(intakes, 'id', 'kind', 'environments', 'workflows', 'transient'),
      ...columnsOf(intakes, 'paused_at', 'created_at'),
    },
    order: intakes.createdAt,
  },
  intake_calls: {
    from: intakeCalls,
    columns: {
      ...columnsOf(intakeCalls, 'intake_id', 'about', 'outcome', 'reason', 'deployment_id'),
      ...columnsOf(intakeCalls, 'waiting', 'key', 'received_at'),
    },
    order: desc(intakeCalls.id),
  },
  sessions: {
    from: sessions,
    columns: { user_agent: sessions.device, ...columnsOf(sessions, 'created_at', 'last_seen_at') },
    order: desc(sessions.lastSeenAt),
  },
  known_browsers: {
    from: devices,
    columns: columnsOf(devices, 'signed_in_at'),
    order: desc(devices.signedInAt),
  },
  password_links: {
    from: passwordLinks,
    columns: columnsOf(passwordLinks, 'username', 'expires_at'),
    order: passwordLinks.expiresAt,
  },
  refused_calls: {
    from: refusals,
    columns: columnsOf(refusals, 'status', 'reason', 'source', 'token', 'refused_at'),
    order: desc(refusals.id),
  },
  history_days: { from: historyDays, columns: columnsOf(historyDays, 'day', 'added') },
}

const profileColumns = {
  ...columnsOf(users, 'id', 'username', 'name'),
  joined_at: users.createdAt,
  ...columnsOf(users, 'shows_checklist'),
}

/**
 * What we keep about a user, without secrets, deployments and withdrawals (docs/decisions.md#accounts). Throws
 * Unavailable.
 */
export async function exportAccount(db: Db, userId: number): Promise<object> {
  return await db.run(async (queries) => {
    const readSection = async ([name, { from, columns, order }]: [string, Section]) => {
      const rows = queries.select(columns).from(from).where(eq(from.userId, userId))
      return [name, await (order === undefined ? rows : rows.orderBy(order))] as const
    }
    const [[profile = null], lists, { now_ms }] = await Promise.all([
      queries.select(profileColumns).from(users).where(eq(users.id, userId)),
      Promise.all(Object.entries(sections).map(readSection)),
      oneRowOf<{ now_ms: number }>(queries, sql`select ${nowInMs} as now_ms`),
    ])
    return { exported_at: new Date(now_ms), profile, ...Object.fromEntries(lists) }
  })
}

/** Some of the deployments that a user posted or withdrew, under the names of the export. */
export type ExportChunk = readonly Readonly<Record<string, unknown>>[]

const exportedDeployment = {
  id: deployments.id,
  ...columnsOf(deployments, 'message', 'url', 'category', 'environment', 'version', 'commit'),
  ...columnsOf(deployments, 'deployed_at', 'idempotency_key', 'posted_as'),
  verified: verifiedAsObject,
  ...columnsOf(deployments, 'token'),
  imported: sql<boolean>`${deployments.id} < 0`,
}

/**
 * Reads every deployment of a user, the newest first and in chunks, so that a million are never in memory at
 * once and no transaction waits for a slow reader. Throws Unavailable.
 */
export function exportDeployments(db: Db, userId: number): AsyncGenerator<ExportChunk, void> {
  return chunked<ExportChunk[number] & { readonly id: number }, number>(
    Number.MAX_SAFE_INTEGER,
    ({ id }) => id,
    (before) =>
      db.run((queries) =>
        queries
          .select(exportedDeployment)
          .from(deployments)
          .where(and(eq(deployments.userId, userId), lt(deployments.id, before)))
          .orderBy(desc(deployments.id))
          .limit(chunkSize),
      ),
  )
}

/** `at` is the exact instant, to page by; the export has it in milliseconds. */
type WithdrawalRow = {
  readonly id: number
  readonly deployment_id: number
  readonly at: string
  readonly deployed_at_ms: number
}

/** The ids and times of the deployments that a user withdrew, in chunks as well. Throws Unavailable. */
export async function* exportWithdrawals(db: Db, userId: number): AsyncGenerator<ExportChunk, void> {
  const chunks = chunked<WithdrawalRow, Pick<WithdrawalRow, 'id' | 'at'>>(
    { at: 'infinity', id: 0 },
    (last) => last,
    ({ at, id }) =>
      db.run(
        allRows<WithdrawalRow>(sql`
          select id, deployment_id, deployed_at::text as at, ${inMs(sql`deployed_at`)} as deployed_at_ms
          from withdrawals
          where user_id = ${userId} and (deployed_at, id) < (${at}::timestamptz, ${id}::bigint)
          order by deployed_at desc, id desc limit ${chunkSize}`),
      ),
  )
  for await (const chunk of chunks) {
    yield chunk.map((row) => ({ id: row.deployment_id, deployed_at: new Date(row.deployed_at_ms) }))
  }
}
