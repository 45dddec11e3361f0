import { afterAll, expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { shortenLog } from '../../../src/database/embedded/open.ts'
import { durableParams } from '../../../src/database/embedded/pglite.ts'
import { temporaryDirectory } from '../../support/process.ts'

const directory = temporaryDirectory()
afterAll(directory.remove)

test('The write-ahead log of the embedded database stays short, however much is written', async () => {
  const startParams = durableParams(PGlite.defaultStartParams)
  const client = await PGlite.create({ dataDir: directory.path, startParams })
  await client.exec('create table filled (filling text)')
  for (let round = 0; round < 6; round += 1) {
    await client.exec(`insert into filled select repeat('x', 1000) from generate_series(1, 40000)`)
    await client.exec('truncate filled')
    await shortenLog(client)
  }
  const log = readdirSync(join(directory.path, 'pg_wal')).filter((name) => name.startsWith('0'))
  await client.close()
  // Each file has 16 MB; without a checkpoint, there were more than 15.
  expect(log.length).toBeLessThan(9)
})
