import { and, desc, eq, lt, sql } from 'drizzle-orm'
import { chunked, chunkSize, type Db, inMs, nowInMs, oneRowOf } from '../database/db.ts'
import type { Verification } from '../domain/deployment.ts'
import { devices, passwordLinks, publishers, readKeys, sessions, tokens, users } from './account/schema.ts'
import { intakeCalls, intakes } from './intake/schema.ts'
import { deployments, historyDays, refusals } from './schema.ts'
import { allRows } from './statements.ts'
import { webhooks } from './webhooks/schema.ts'

/**
 * What we keep about a user, under the names of the export and without secrets (docs/decisions.md#accounts).
 * The functions below give the deployments and withdrawals. Throws Unavailable.
 */
export async function exportAccount(db: Db, userId: number) {
  return await db.run(async (queries) => {
    const [[profile], own, keys, trusted, hooks, forges, calls, open, known, links, refused, days, time] =
      await Promise.all([
        queries
          .select({
            id: users.id,
            username: users.username,
            name: users.name,
            joined_at: users.createdAt,
            shows_checklist: users.showsChecklist,
          })
          .from(users)
          .where(eq(users.id, userId)),
        queries
          .select({
            id: tokens.id,
            name: tokens.name,
            last_four: tokens.lastFour,
            may: tokens.may,
            targets: tokens.targets,
            environments: tokens.environments,
            ends_on: tokens.endsOn,
            created_at: tokens.createdAt,
            last_used_at: tokens.lastUsedAt,
            last_used_from: tokens.lastUsedFrom,
            expires_at: tokens.expiresAt,
            publisher_id: tokens.publisherId,
            environment: tokens.environment,
            version: tokens.version,
            commit: tokens.commit,
            verifies: tokens.verifies,
            verified: verifiedAsObject,
          })
          .from(tokens)
          .where(eq(tokens.userId, userId))
          .orderBy(tokens.createdAt),
        queries
          .select({
            last_four: readKeys.lastFour,
            created_at: readKeys.createdAt,
            last_used_at: readKeys.lastUsedAt,
          })
          .from(readKeys)
          .where(eq(readKeys.userId, userId)),
        queries
          .select({
            id: publishers.id,
            issuer: publishers.issuer,
            repository: publishers.repository,
            repository_id: publishers.repositoryId,
            owner_id: publishers.ownerId,
            workflow: publishers.workflow,
            environment: publishers.environment,
            created_at: publishers.createdAt,
            last_used_at: publishers.lastUsedAt,
          })
          .from(publishers)
          .where(eq(publishers.userId, userId))
          .orderBy(publishers.id),
        queries
          .select({
            id: webhooks.id,
            // An address may be a secret, as those of chats are.
            host: sql<string>`split_part(${webhooks.url}, '/', 3)`,
            format: webhooks.format,
            targets: webhooks.targets,
            environments: webhooks.environments,
            categories: webhooks.categories,
            withdrawals: webhooks.withdrawals,
            paused_at: webhooks.pausedAt,
            created_at: webhooks.createdAt,
          })
          .from(webhooks)
          .where(eq(webhooks.userId, userId))
          .orderBy(webhooks.id),
        queries
          .select({
            id: intakes.id,
            kind: intakes.kind,
            environments: intakes.environments,
            workflows: intakes.workflows,
            transient: intakes.transient,
            paused_at: intakes.pausedAt,
            created_at: intakes.createdAt,
          })
          .from(intakes)
          .where(eq(intakes.userId, userId))
          .orderBy(intakes.createdAt),
        queries
          .select({
            intake_id: intakeCalls.intakeId,
            about: intakeCalls.about,
            outcome: intakeCalls.outcome,
            reason: intakeCalls.reason,
            deployment_id: intakeCalls.deploymentId,
            waiting: intakeCalls.waiting,
            key: intakeCalls.key,
            received_at: intakeCalls.receivedAt,
          })
          .from(intakeCalls)
          .where(eq(intakeCalls.userId, userId))
          .orderBy(desc(intakeCalls.id)),
        queries
          .select({
            user_agent: sessions.device,
            created_at: sessions.createdAt,
            last_seen_at: sessions.lastSeenAt,
          })
          .from(sessions)
          .where(eq(sessions.userId, userId))
          .orderBy(desc(sessions.lastSeenAt)),
        queries
          .select({ signed_in_at: devices.signedInAt })
          .from(devices)
          .where(eq(devices.userId, userId))
          .orderBy(desc(devices.signedInAt)),
        queries
          .select({ username: passwordLinks.username, expires_at: passwordLinks.expiresAt })
          .from(passwordLinks)
          .where(eq(passwordLinks.userId, userId))
          .orderBy(passwordLinks.expiresAt),
        queries
          .select({
            status: refusals.status,
            reason: refusals.reason,
            source: refusals.source,
            token: refusals.token,
            refused_at: refusals.refusedAt,
          })
          .from(refusals)
          .where(eq(refusals.userId, userId))
          .orderBy(desc(refusals.id)),
        queries
          .select({ day: historyDays.day, added: historyDays.added })
          .from(historyDays)
          .where(eq(historyDays.userId, userId)),
        oneRowOf<{ now_ms: number }>(queries, sql`select ${nowInMs} as now_ms`),
      ])
    return {
      exported_at: new Date(time.now_ms),
      profile: profile ?? null,
      tokens: own,
      read_keys: keys,
      publishers: trusted,
      webhooks: hooks,
      intakes: forges,
      intake_calls: calls,
      sessions: open,
      known_browsers: known,
      password_links: links,
      refused_calls: refused,
      history_days: days,
    }
  })
}

/** Some of the deployments that a user posted or withdrew, under the names of the export. */
export type ExportChunk = readonly Readonly<Record<string, unknown>>[]

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
          .select({
            id: deployments.id,
            message: deployments.message,
            url: deployments.url,
            category: deployments.category,
            environment: deployments.environment,
            version: deployments.version,
            commit: deployments.commit,
            deployed_at: deployments.deployedAt,
            idempotency_key: deployments.idempotencyKey,
            posted_as: deployments.postedAs,
            verified: verifiedAsObject,
            token: deployments.token,
            imported: sql<boolean>`${deployments.id} < 0`,
          })
          .from(deployments)
          .where(and(eq(deployments.userId, userId), lt(deployments.id, before)))
          .orderBy(desc(deployments.id))
          .limit(chunkSize),
      ),
  )
}

const verifiedAsObject = sql<Verification | null>`
  case when verified is not null
    then json_build_object('issuer', verified[1], 'repository', verified[2], 'workflow', verified[3]) end`

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
