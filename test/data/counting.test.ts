import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { hashSecret } from '../../src/data/account/tokens.ts'
import { recorder } from '../../src/data/recording.ts'
import { query } from '../support/database.ts'
import { signUpPoster } from '../support/people.ts'
import { useService } from '../support/service.ts'

const service = await useService()

/** How many links there are of each kind, which differ only in their last segment. */
const each = 25
const kinds = ['pull', 'commit', 'releases/tag', 'actions/runs', 'tree']

test('deployments of one project share every row that is derived from them', async () => {
  const ada = await signUpPoster(service)
  const record = recorder(service.db, 0)
  const links = kinds.flatMap((kind) =>
    Array.from({ length: each }, (_, n) => `https://github.com/ada/engine/${kind}/${n}`),
  )
  await Promise.all(
    links.map((url) =>
      record({
        tokenHash: hashSecret(ada.token),
        announcement: { message: 'A', url, category: null },
        idempotencyKey: null,
      }),
    ),
  )
  const owner = sql`from users where username = ${ada.username}`
  const rowsIn = async (table: string) => {
    const [row] = await query<{ rows: number }>(
      service.db,
      sql`select count(*)::int as rows from ${sql.identifier(table)} where user_id = (select id ${owner})`,
    )
    return row?.rows
  }
  expect(await rowsIn('deployments')).toBe(kinds.length * each)
  // Everything, the host, the owner and the project.
  expect(await rowsIn('latest_deployments')).toBe(4)
  expect(await rowsIn('target_scopes')).toBe(3)
  expect(await rowsIn('targets')).toBe(1)
  // Two, if this runs at midnight.
  expect(await rowsIn('daily_deployments')).toBeLessThanOrEqual(2)
})
