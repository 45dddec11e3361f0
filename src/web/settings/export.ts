import { Elysia } from 'elysia'
import { listPublishers } from '../../data/account/publishers.ts'
import { listSessions } from '../../data/account/sessions.ts'
import { listTokens } from '../../data/account/tokens.ts'
import { findUser } from '../../data/account/users.ts'
import { type ExportedDeployment, exportDeployments } from '../../data/export.ts'
import { listRefusals } from '../../data/refusals.ts'
import type { Db } from '../../database/db.ts'
import type { User } from '../../domain/account/user.ts'
import { timestampOf } from '../../domain/time.ts'
import { jsonHeaders, privateHeaders } from '../../http/headers.ts'
import { owner } from '../../http/pages.ts'
import type { SettingsOptions } from './page.tsx'

/** GET /settings/export: everything about the owner as one JSON file, without secrets. */
export function settingsExport({ db, pages }: SettingsOptions) {
  return new Elysia({ name: 'settings-export' })
    .use(owner(pages))
    .get('/settings/export', async ({ viewer }) => {
      const account = JSON.stringify(await accountOf(db, viewer), null, 2)
      const chunks = exportDeployments(db, viewer.id)
      // Read before the answer begins: if the database is down, that is a 503 and not half a file.
      const first = await chunks.next()
      return new Response(streamOf(fileOf(account, first, chunks)), {
        headers: {
          ...jsonHeaders,
          ...privateHeaders,
          'Content-Disposition': `attachment; filename="shipfeed-${viewer.username}.json"`,
        },
      })
    })
}

async function accountOf(db: Db, viewer: User) {
  const [found, tokens, publishers, { sessions, now }, refusals] = await Promise.all([
    findUser(db, viewer.username),
    listTokens(db, viewer.id),
    listPublishers(db, viewer.id),
    listSessions(db, viewer.id),
    listRefusals(db, viewer.id),
  ])
  return {
    exported_at: timestampOf(now),
    profile: { ...viewer, joined_at: timeOf(found?.since ?? null) },
    tokens: tokens.map(({ lastFour, createdAt, lastUsedAt, expiresAt }) => ({
      last_four: lastFour,
      created_at: timeOf(createdAt),
      last_used_at: timeOf(lastUsedAt),
      expires_at: timeOf(expiresAt),
    })),
    publishers: publishers.map(({ createdAt, lastUsedAt, repositoryId, ownerId, ...publisher }) => ({
      ...publisher,
      repository_id: repositoryId,
      owner_id: ownerId,
      created_at: timeOf(createdAt),
      last_used_at: timeOf(lastUsedAt),
    })),
    sessions: sessions.map(({ device, createdAt, lastSeenAt }) => ({
      user_agent: device,
      created_at: timeOf(createdAt),
      last_seen_at: timeOf(lastSeenAt),
    })),
    refused_calls: refusals.map(({ status, reason, refusedAt }) => ({
      status,
      reason,
      refused_at: timeOf(refusedAt),
    })),
  }
}

type Chunk = readonly ExportedDeployment[]

/** The JSON object of the account, with the deployments as its last member. */
async function* fileOf(
  account: string,
  first: IteratorResult<Chunk, void>,
  rest: AsyncGenerator<Chunk, void>,
) {
  yield `${account.slice(0, account.lastIndexOf('\n}'))},\n  "deployments": [`
  let separator = '\n    '
  for (let next = first; !next.done; next = await rest.next()) {
    yield separator + next.value.map((deployment) => JSON.stringify(exported(deployment))).join(',\n    ')
    separator = ',\n    '
  }
  yield '\n  ]\n}\n'
}

function exported({ deployedAt, idempotencyKey, ...deployment }: ExportedDeployment) {
  return { ...deployment, deployed_at: timeOf(deployedAt), idempotency_key: idempotencyKey }
}

function timeOf(instant: Date | null): string | null {
  return instant === null ? null : timestampOf(instant)
}

/** Produces each piece when the reader has room for it. */
function streamOf(pieces: AsyncGenerator<string, void>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await pieces.next()
      if (done) controller.close()
      else controller.enqueue(encoder.encode(value))
    },
    async cancel() {
      await pieces.return()
    },
  })
}
