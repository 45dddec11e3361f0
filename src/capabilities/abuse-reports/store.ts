import { sql } from 'drizzle-orm'
import { isAccount } from '../../data/account/tables.ts'
import { allRows, oneValue } from '../../data/statements.ts'
import { chunked, chunkSize, type Db, inMs, rowsOf } from '../../database/db.ts'
import { type AbuseReport, maxReports } from './rules.ts'

/** Keeps a reader's report of a deployment, unless that was withdrawn or has `maxReports`. */
export async function addReport(db: Db, deploymentId: number, { reason, text }: AbuseReport): Promise<void> {
  // Reports of one deployment are counted one after another.
  const lock = sql`select from deployments where id = ${deploymentId} for no key update`
  const kept = sql`select count(*) from reports where deployment_id = ${deploymentId}`
  const keep = sql`
    insert into reports (deployment_id, reason, text)
    select id, ${reason}, ${text}::text from deployments
    where id = ${deploymentId} and (${kept}) < ${maxReports}::int`
  await db.write((queries) =>
    queries.transaction((transaction) => Promise.all([rowsOf(transaction, lock), rowsOf(transaction, keep)])),
  )
}

export type ReportRow = AbuseReport & {
  readonly id: number
  readonly deployment_id: number
  readonly reported_at_ms: number
  readonly username: string
  readonly message: string
}

const withPoster = sql`
  reports join deployments on deployments.id = deployment_id join users on users.id = user_id and ${isAccount}`

/** Every report that was not dismissed, the oldest first and in chunks. */
export function listReports(db: Db): AsyncGenerator<readonly ReportRow[], void> {
  const reportedAt = inMs(sql`reported_at`)
  const read = (after: number) =>
    allRows<ReportRow>(sql`
      select reports.id, deployment_id, reason, text, ${reportedAt} as reported_at_ms, username, message
      from ${withPoster} where reports.id > ${after} order by reports.id limit ${chunkSize}`)
  return chunked(
    0,
    (report: ReportRow) => report.id,
    (after) => db.readPrimary(read(after)),
  )
}

/** Deletes the reports of a deployment, and gives their number. */
export async function dismissReports(db: Db, deploymentId: number): Promise<number> {
  const statement = sql`delete from reports where deployment_id = ${deploymentId} returning 1`
  return (await db.write(allRows(statement))).length
}

/** How many deployments have a report that was not dismissed. */
export async function countReported(db: Db): Promise<number> {
  const statement = sql`select count(distinct deployment_id)::int as reported from ${withPoster}`
  return await db.readPrimary(oneValue<number>(statement))
}
