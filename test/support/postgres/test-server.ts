import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDatabase } from '../../../src/database/local/creation.ts'
import { findPrograms, programIn } from '../../../src/database/local/programs.ts'
import { serverArguments } from '../../../src/database/local/server-settings.ts'
import { exitOf, spawnAs, systemUserFor } from '../../../src/database/local/system-user.ts'
import { freePort } from '../process.ts'

/** A Postgres for tests, with the programs and settings of the service's own. */
export type TestServer = {
  /** As the superuser, without a password, and by TCP, so that proxies and poolers can be put in front of it. */
  readonly url: string
  readonly pid: number
  readonly folder: string
  stop(): Promise<void>
}

/** What differs from a server of the service, because many tests use it at once. */
const differences = { max_connections: 400, max_wal_size: '1GB' }

/** In memory, where there is enough: the tests need no disk, and wait for it at each commit. */
function place(): string {
  const memory = '/dev/shm'
  if (!existsSync(memory)) return tmpdir()
  const { bavail, bsize } = statfsSync(memory)
  return bavail * bsize > 4e9 ? memory : tmpdir()
}

export async function startTestServer(): Promise<TestServer> {
  const folder = mkdtempSync(join(place(), 'shipfeed-postgres-'))
  const path = join(folder, 'data')
  const programs = await findPrograms(folder, null)
  // The user of Postgres, who may be another one, enters it.
  chmodSync(folder, 0o711)
  const user = await systemUserFor(folder, path, programs)
  await createDatabase({ path, programs, user }, 'unused')
  writeFileSync(join(path, 'pg_hba.conf'), 'local all all trust\nhost all all 127.0.0.1/32 trust\n')
  const port = freePort()
  const settings = { ...differences, listen_addresses: '127.0.0.1', port }
  const child = spawnAs(user, [
    programIn(programs, 'postgres'),
    ...serverArguments(path, path, programs.major),
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ])
  child.stdin?.end()
  const ended = exitOf(child)
  const ready = Promise.withResolvers<void>()
  let said = ''
  child.stderr?.on('data', (chunk) => {
    said += chunk
    if (said.includes('ready to accept connections')) ready.resolve()
  })
  void ended.then(() => ready.reject(new Error(`The Postgres of the tests ended: ${said}`)))
  await ready.promise
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    pid: child.pid ?? 0,
    folder,
    async stop() {
      child.kill('SIGQUIT')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
