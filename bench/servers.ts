import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { scripts } from '../package.json'
import { folderIn } from '../src/database/local/directory.ts'
import { readPidfile } from '../src/database/local/former.ts'
import { untilReady } from '../test/support/eventually.ts'
import { doorOf } from '../test/support/process.ts'
import { cluster } from './cluster.ts'
import { type Server, startServer } from './processes.ts'

/** A Postgres of the benchmark, or one that the service starts in a folder. */
export type Storage = { readonly DATABASE_URL: string } | { readonly DATA_DIR: string }

/** When Bun collects its garbage: the setting before the command of `npm start`. */
const [, name = '', value = ''] = /^(\w+)=(\w+) /.exec(scripts.start) ?? []
const collector = { [name]: value }

/** The service as `npm start` starts it, on a data set: this version, or that of a checkout. */
export async function shipfeed(
  storage: Storage,
  settings: Record<string, string> = {},
  checkout = '.',
): Promise<Server> {
  const unlimited = { RATE_LIMIT_PER_MINUTE: '0', TRUSTED_PROXIES: '127.0.0.1' }
  const environment = { ...unlimited, ...collector, LOG_LEVEL: 'error', ...storage, ...settings }
  const server = await startServer([process.execPath, join(checkout, 'src/main.ts')], environment)
  // It listens before Postgres has answered.
  await untilReady(doorOf(server.url))
  return { ...server, postmaster: await postmasterOf(storage) }
}

async function postmasterOf(storage: Storage): Promise<number | null> {
  if ('DATABASE_URL' in storage) return (await cluster()).pid
  const pid = readPidfile(folderIn(storage.DATA_DIR))?.pid ?? 0
  // That of PGlite, until version 1.1.0, is negative.
  return pid > 0 ? pid : null
}

/** A bare `Bun.serve` whose only answer has the bytes and the headers of this address. */
export async function bareServer(url: string): Promise<Server> {
  return await startServer([process.execPath, fileOf('peers/bare-server.ts'), url])
}

/** The route of badges with one query a request; everything else about it is ours. */
export async function oneQueryServer(databaseUrl: string): Promise<Server> {
  const program = fileOf('peers/one-query-server.ts')
  const storage = { DATABASE_URL: databaseUrl }
  const server = await startServer([process.execPath, program], storage)
  return { ...server, postmaster: await postmasterOf(storage) }
}

/** The route of badges without any database; everything else about it is ours. */
export async function noQueryServer(): Promise<Server> {
  return await startServer([process.execPath, fileOf('peers/no-query-server.ts')])
}

/** badge-maker on Node's http, without any database. */
export async function badgeMakerServer(): Promise<Server> {
  return await startServer(['node', fileOf('peers/badge-maker-server.mjs')])
}

function fileOf(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url))
}
