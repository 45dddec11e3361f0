import { desc, eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { chunked, chunkSize, type Db, inMs, nowInMs, oneRowOf, type Queries } from '../database/db.ts'
import type { Verification } from '../domain/deployment.ts'
import { devices, passwordLinks, publishers, readKeys, sessions, tokens, users } from './account/schema.ts'
import { newestIn } from './feed-pages.ts'
import { intakeCalls, intakes } from './intake/schema.ts'
import { deployments, historyDays, refusals } from './schema.ts'
import { allRows } from './statements.ts'
import { webhooks } from './webhooks/schema.ts'

const verifiedAsObject = sql<Verification | null>`
  case when verified is not null
    then json_build_object('issuer', verified[1], 'repository', verified[2], 'workflow', verified[3]) end`

/** Columns of a table by their names in the database, which are those of the export. */
function columnsOf(table: PgTable, names: string): Record<string, PgColumn> {
  const columns: Record<string, PgColumn> = getTableColumns(table)
  return Object.fromEntries(
    names.split(' ').map((name) => {
      const column = columns[name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())]
      if (column === undefined) throw new Error(`the export has no column ${name}`)
      return [name, column]
    }),
  )
}

type Section = readonly [
  from: PgTable & { readonly userId: PgColumn },
  columns: Record<string, PgColumn | SQL>,
  order?: PgColumn | SQL,
]

const tokenColumns = {
  ...columnsOf(tokens, 'id name last_four may targets environments ends_on created_at last_used_at'),
  ...columnsOf(tokens, 'last_used_from expires_at publisher_id environment version commit verifies'),
  verified: verifiedAsObject,
}

const publisherColumns =
  'id issuer repository repository_id owner_id workflow environment created_at last_used_at'

const webhookColumns = {
  id: webhooks.id,
  // An address may be a secret, as those of chats are.
  host: sql`split_part(${webhooks.url}, '/', 3)`,
  ...columnsOf(webhooks, 'format targets environments categories withdrawals paused_at created_at'),
}

const callColumns = 'intake_id about outcome reason deployment_id waiting key received_at'

/** The lists of an export, without secrets. */
const sections: Readonly<Record<string, Section>> = {
  tokens: [tokens, tokenColumns, tokens.createdAt],
  read_keys: [readKeys, columnsOf(readKeys, 'last_four created_at last_used_at')],
  publishers: [publishers, columnsOf(publishers, publisherColumns), publishers.id],
  webhooks: [webhooks, webhookColumns, webhooks.id],
  intakes: [
    intakes,
    columnsOf(intakes, 'id kind environments workflows transient paused_at created_at'),
    intakes.createdAt,
  ],
  intake_calls: [intakeCalls, columnsOf(intakeCalls, callColumns), desc(intakeCalls.id)],
  sessions: [
    sessions,
    { user_agent: sessions.device, ...columnsOf(sessions, 'created_at last_seen_at') },
    desc(sessions.lastSeenAt),
  ],
  known_browsers: [devices, columnsOf(devices, 'signed_in_at'), desc(devices.signedInAt)],
  password_links: [passwordLinks, columnsOf(passwordLinks, 'username expires_at'), passwordLinks.expiresAt],
  refused_calls: [refusals, columnsOf(refusals, 'status reason source token refused_at'), desc(refusals.id)],
  history_days: [historyDays, columnsOf(historyDays, 'day added')],
}

const profileColumns = {
  ...columnsOf(users, 'id username name'),
  joined_at: users.createdAt,
  ...columnsOf(users, 'shows_checklist'),
}

/** What we keep about a user, without secrets, deployments and withdrawals. */
export async function exportAccount(db: Db, userId: number): Promise<object> {
  return await db.readPrimary(async (queries) => {
    const readSection = async ([name, [from, columns, order]]: [string, Section]) => {
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

type ExportChunk = readonly Readonly<Record<string, unknown>>[]

const exportedDeployment = {
  id: deployments.id,
  ...columnsOf(deployments, 'message url category environment version commit'),
  ...columnsOf(deployments, 'deployed_at idempotency_key posted_as'),
  verified: verifiedAsObject,
  ...columnsOf(deployments, 'token'),
  imported: sql<boolean>`${deployments.id} < 0`,
}

/** Every deployment of a user in chunks, so that nothing waits for a slow reader. */
export function exportDeployments(db: Db, userId: number): AsyncGenerator<ExportChunk, void> {
  const read = async (queries: Queries, before: number): Promise<ExportChunk> => {
    const older = newestIn({ userId: sql`${userId}::bigint` }, chunkSize, sql`id`, before)
    return await queries
      .select(exportedDeployment)
      .from(deployments)
      .where(sql`${deployments.id} = any(array(${older}))`)
      .orderBy(desc(deployments.id))
  }
  return chunked(
    Number.MAX_SAFE_INTEGER,
    ({ id }) => Number(id),
    (before) => db.readPrimary((queries) => read(queries, before)),
  )
}

/** `at` is the exact instant, to page by; the export has it in milliseconds. */
type WithdrawalRow = {
  readonly id: number
  readonly deployment_id: number
  readonly at: string
  readonly deployed_at_ms: number
}

/** The ids and times of the deployments that a user withdrew, in chunks as well. */
export async function* exportWithdrawals(db: Db, userId: number): AsyncGenerator<ExportChunk, void> {
  const readBefore = ({ at, id }: Pick<WithdrawalRow, 'at' | 'id'>) =>
    allRows<WithdrawalRow>(sql`
      select id, deployment_id, deployed_at::text as at, ${inMs(sql`deployed_at`)} as deployed_at_ms
      from withdrawals
      where user_id = ${userId} and (deployed_at, id) < (${at}::timestamptz, ${id}::bigint)
      order by deployed_at desc, id desc limit ${chunkSize}`)
  const chunks = chunked(
    { at: 'infinity', id: 0 },
    ({ at, id }: WithdrawalRow) => ({ at, id }),
    (last) => db.readPrimary(readBefore(last)),
  )
  for await (const chunk of chunks) {
    yield chunk.map((row) => ({ id: row.deployment_id, deployed_at: new Date(row.deployed_at_ms) }))
  }
}
