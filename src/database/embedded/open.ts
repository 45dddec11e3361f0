import { PGlite } from '@electric-sql/pglite'
import { drizzle } from 'drizzle-orm/pglite'
import { bellChannel, bellOnce } from '../bell.ts'
import type { Db, Queries, Report } from '../db.ts'
import { guard, settleBy } from '../db.ts'
import { DatabaseUnusable, Migrating, messageOf, Unavailable } from '../errors.ts'
import { isMigrated, migrate } from '../migrations.ts'
import { plannerStatement } from '../session-settings.ts'
import { type DataDirectory, makeDatabase, takeDirectory } from './directory.ts'
import { DurableFs, durableParams, makeEmptyDatabase, readPgliteFiles } from './pglite.ts'
import { removeCopy, withCopy } from './snapshot.ts'

/** How long shared queries may run one after another before the sockets are read again. */
const sliceMs = 5
const checkpointEveryMs = 60_000
const longLogBytes = 32 * 1024 * 1024

/**
 * Until `migrated` resolves, calls throw Unavailable, and `snapshot` and `writeAtLength` wait. `migrated`
 * rejects if opening or migrating fails. Throws DatabaseUnusable for an unusable directory. Tests give open databases.
 */
export function openEmbedded(database: string | Promise<Opened>, report: Report = () => {}): Db {
  const opening = typeof database === 'string' ? openDirectory(takeDirectory(database), report) : database
  let ready: Queries | Unavailable = new Unavailable('the database is not open yet')
  const migrated = opening.then(async ({ client }) => {
    const queries = queriesOf(client)
    if (!(await isMigrated(queries))) {
      report('Migrating the database', 'database_migrating')
      ready = new Migrating('the database is being migrated')
      await migrate(queries)
    }
    await client.exec(plannerStatement)
    ready = queries
  })
  const inTurn = oneAtATime()
  let socketsReadAt = Number.NEGATIVE_INFINITY
  const run = guard(async (work, until, lane) => {
    if (ready instanceof Unavailable) throw ready
    const queries = ready
    const shared = async () => {
      if (performance.now() >= socketsReadAt + sliceMs) {
        await new Promise((resolve) => setImmediate(resolve))
        socketsReadAt = performance.now()
      }
      if (performance.now() > until) throw new Unavailable('the query waited longer than its deadline')
      return await work(queries)
    }
    return await settleBy(until, lane === 'reserved' ? work(queries) : inTurn(shared))
  })
  return {
    read: run,
    readPrimary: run,
    write: run,
    migrated,
    hearBell: (ring) =>
      bellOnce(migrated, () => {
        const listening = opening.then(({ client }) => client.listen(bellChannel, ring))
        return { isHeard: true, stop: async () => (await listening)() }
      }),
    async snapshot(work) {
      await migrated
      const { snapshot } = await opening
      return await snapshot((copy) =>
        queriesOf(copy).transaction(work, { isolationLevel: 'repeatable read', accessMode: 'read only' }),
      )
    },
    async writeAtLength(work) {
      await migrated
      const { client } = await opening
      return await queriesOf(client).transaction(work)
    },
    async close() {
      await migrated.catch(() => {})
      await opening.then(
        ({ close }) => close(),
        () => {},
      )
    },
  }
}

export type Opened = {
  readonly client: PGlite
  /** Passes a copy of the database, as it is at one instant, to `work`. */
  snapshot<T>(work: (copy: PGlite) => Promise<T>): Promise<T>
  close(): Promise<void>
}

async function openDirectory(directory: DataDirectory, report: Report): Promise<Opened> {
  try {
    const client = await openIn(directory, report)
    const alone = oneAtATime()
    // The embedded Postgres makes no checkpoints by itself: its log would grow for as long as it runs. Errors are
    // ignored: on a full disk, every announcement fails anyway. While a snapshot needs the log, a checkpoint waits.
    const checkpoints = setInterval(() => alone(() => shortenLog(client)).catch(() => {}), checkpointEveryMs)
    checkpoints.unref()
    return {
      client,
      snapshot: (work) => alone(() => withCopy(client, directory.path, work)),
      async close() {
        await client.close()
        clearInterval(checkpoints)
        directory.unlock()
      },
    }
  } catch (error) {
    directory.unlock()
    throw error
  }
}

function queriesOf(client: PGlite): Queries {
  return drizzle(client, { casing: 'snake_case' }) as unknown as Queries
}

/** Opens the database, or creates one if there is none. Does not migrate. Throws DatabaseUnusable. */
export async function openIn({ path, isEmpty }: DataDirectory, report: Report): Promise<PGlite> {
  try {
    report(isEmpty ? `Creating a database in ${path}` : `Opening ${path}`, 'database_opening')
    await removeCopy(path)
    const files = await readPgliteFiles()
    if (isEmpty) await makeDatabase(path, (place) => makeEmptyDatabase(place, files))
    return await PGlite.create({
      ...files,
      fs: new DurableFs(path),
      startParams: durableParams(files.startParams),
    })
  } catch (error) {
    const [cause = ''] = messageOf(error).split('\n')
    throw new DatabaseUnusable(
      isEmpty
        ? `a database cannot be created in ${path} (${cause}): check the free space and the permissions of its folder`
        : `the database in ${path} cannot be opened (${cause}): check the free space, the memory and the permissions of its files, and restore a backup only if these are in order`,
    )
  }
}

function oneAtATime() {
  let last: Promise<unknown> = Promise.resolve()
  return function alone<T>(work: () => Promise<T>): Promise<T> {
    const result = last.then(work)
    last = result.catch(() => {})
    return result
  }
}

/** Makes a checkpoint if the log is long. */
export async function shortenLog(client: PGlite): Promise<void> {
  const { rows } = await client.query<{ is_long: boolean }>(
    'select pg_current_wal_lsn() - redo_lsn > $1 as is_long from pg_control_checkpoint()',
    [longLogBytes],
  )
  if (rows[0]?.is_long === true) await client.exec('checkpoint')
}
