import { desc, eq, sql } from 'drizzle-orm'
import { chunked, chunkSize, type Db, inMs, nowInMs, oneRowOf, type Queries } from '../database/db.ts'
import { releaseFields } from '../domain/release/release.ts'
import { users } from './account/tables.ts'
import { newestIn } from './feed-pages.ts'
import { allRows } from './statements.ts'
import { columnsOf, verifiedAsObject } from './table-uses/export-columns.ts'
import type { TableUse } from './table-uses/table-use.ts'
import { deployments } from './tables.ts'

const profileColumns = {
  ...columnsOf(users, 'id username name'),
  joined_at: users.createdAt,
  ...columnsOf(users, 'shows_checklist environment_order'),
}

/** What we keep about a user, without secrets, deployments and withdrawals. */
export async function exportAccount(db: Db, tables: readonly TableUse[], userId: number): Promise<object> {
  const sections = tables
    .flatMap(({ table, section }) => (section === undefined ? [] : [{ table, ...section }]))
    .toSorted((one, other) => one.place - other.place)
  return await db.readPrimary(async (queries) => {
    const readSection = async ({ table, name, columns, order }: (typeof sections)[number]) => {
      const rows = queries.select(columns).from(table).where(eq(table.userId, userId))
      return [name, await (order === undefined ? rows : rows.orderBy(order))] as const
    }
    const [[profile = null], lists, { now_ms }] = await Promise.all([
      queries.select(profileColumns).from(users).where(eq(users.id, userId)),
      Promise.all(sections.map(readSection)),
      oneRowOf<{ now_ms: number }>(queries, sql`select ${nowInMs} as now_ms`),
    ])
    return { exported_at: new Date(now_ms), profile, ...Object.fromEntries(lists) }
  })
}

type ExportChunk = readonly Readonly<Record<string, unknown>>[]

const exportedDeployment = {
  id: deployments.id,
  ...columnsOf(deployments, `message url category ${releaseFields.join(' ')}`),
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
