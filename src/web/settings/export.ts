import { Elysia } from 'elysia'
import { exportAccount, exportDeployments, exportWithdrawals } from '../../data/export.ts'
import type { TableUse } from '../../data/table-uses/table-use.ts'
import type { Db } from '../../database/db.ts'
import { timestampOf } from '../../domain/time.ts'
import { jsonHeaders, privateHeaders } from '../../http/headers.ts'
import { noPermit, Permits } from '../../http/permits.ts'
import { owner } from '../../http/visitor.ts'
import type { SettingsOptions } from './form.tsx'

/** Concurrent exports: of one user, and in total. */
const limits = { perAddress: 1, total: 10 }

/** GET /settings/export: everything that is stored about the owner as one JSON file, without secrets. */
export function settingsExport({ db, tables, pages }: SettingsOptions) {
  const permits = new Permits(limits)

  return new Elysia({ name: 'settings-export' })
    .use(owner(pages))
    .get('/settings/export', async ({ visitor: { user }, request }) => {
      const key = String(user.id)
      if (!permits.hasRoomFor(key)) throw noPermit('exports are under way', permits.isFull)
      permits.take(key)
      const pieces = fileOf(db, tables, user.id, () => permits.free(key))
      // The account is read before the answer begins, so a database that is down gives a 503 and not half a file.
      await pieces.next()
      // The body of an answer to HEAD is never read.
      if (request.method === 'HEAD') await pieces.return()
      return new Response(pieces, {
        headers: {
          ...jsonHeaders,
          ...privateHeaders,
          'Content-Disposition': `attachment; filename="shipfeed-${user.username}.json"`,
        },
      })
    })
}

/** The JSON object of the account, whose lists are its last members. The first piece is empty: the account was read. */
async function* fileOf(
  db: Db,
  tables: readonly TableUse[],
  userId: number,
  onEnd: () => void,
): AsyncGenerator<string, void> {
  try {
    const account = JSON.stringify(formatted(await exportAccount(db, tables, userId)), null, 2)
    yield ''
    yield account.slice(0, account.lastIndexOf('\n}'))
    const lists = { deployments: exportDeployments(db, userId), withdrawals: exportWithdrawals(db, userId) }
    for (const [name, chunks] of Object.entries(lists)) {
      yield `,\n  "${name}": [`
      let separator = '\n    '
      for await (const chunk of chunks) {
        yield separator + chunk.map((row) => JSON.stringify(formatted(row))).join(',\n    ')
        separator = ',\n    '
      }
      yield '\n  ]'
    }
    yield '\n}\n'
  } finally {
    onEnd()
  }
}

/** The same value with instants as the API formats them. */
function formatted(value: unknown): unknown {
  if (value instanceof Date) return timestampOf(value)
  if (Array.isArray(value)) return value.map(formatted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, formatted(member)]))
}
