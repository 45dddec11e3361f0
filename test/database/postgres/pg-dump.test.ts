import { expect } from 'bun:test'
import { join } from 'node:path'
import { openPostgres } from '../../../src/database/postgres/open.ts'
import { createPostgresDatabase } from '../../support/database.ts'
import { outcomeOf } from '../../support/deploy/programs.ts'
import { needing } from '../../support/needs/needs.ts'
import { signUpPoster } from '../../support/people.ts'
import { startPostgresCluster } from '../../support/postgres/cluster.ts'
import { postgresProgram } from '../../support/postgres/programs.ts'
import { temporaryDirectory } from '../../support/process.ts'
import { type Service, startService } from '../../support/service.ts'

async function listOf(service: Service): Promise<readonly unknown[]> {
  const list = await (await service.fetch('/api/deployments')).json()
  return (list as { deployments: readonly unknown[] }).deployments
}

needing('postgresql').test('what pg_dump wrote and pg_restore read serves, and announces on', async () => {
  const directory = temporaryDirectory()
  const cluster = await startPostgresCluster()
  const [from, to] = [await createPostgresDatabase(cluster.url), await createPostgresDatabase(cluster.url)]
  const first = await openPostgres(from.url)
  try {
    await first.migrated
    await using before = await startService({}, first)
    const ada = await signUpPoster(before)
    for (const message of ['One', 'Two “é” 🚀']) await ada.announced({ message })
    const file = join(directory.path, 'shipfeed.pgdump')
    const dumped = await outcomeOf([postgresProgram('pg_dump'), '-Fc', '--file', file, from.url])
    expect(dumped).toEqual({ code: 0, said: '' })
    const restored = await outcomeOf([postgresProgram('pg_restore'), '--dbname', to.url, file])
    expect(restored).toEqual({ code: 0, said: '' })
    const second = await openPostgres(to.url)
    await second.migrated
    await using after = await startService({}, second)
    const kept = await listOf(before)
    expect(await listOf(after)).toEqual(kept)
    expect(kept).toHaveLength(2)
    const grace = await signUpPoster(after)
    await grace.announced({ message: 'Three' })
    expect(await listOf(after)).toHaveLength(3)
  } finally {
    await cluster.remove()
    directory.remove()
  }
})
