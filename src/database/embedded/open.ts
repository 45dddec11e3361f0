import { PGlite } from '@electric-sql/pglite'
import { drizzle } from 'drizzle-orm/pglite'
import { bellChannel } from '../bell.ts'
import type { Db, Queries } from '../db.ts'
import { DatabaseUnusable, messageOf } from '../errors.ts'
import { before, guard } from '../guard.ts'
import { isMigrated, migrate } from '../migrations.ts'
import { setPlanner } from '../session-settings.ts'
import type { Tell } from '../tell.ts'
import { keepLogShort } from './checkpoints.ts'
import { type DataDirectory, makeDatabase, takeDirectory } from './data-directory.ts'
import { DurableFs, durableParams } from './durable-fs.ts'
import { oneAtATime } from './one-at-a-time.ts'
import { readPgliteFiles } from './pglite-files.ts'
import { removeCopy, type Snapshot, snapshots } from './snapshot.ts'

/**
 * Opens the embedded database in a directory (null: in memory, for tests) and migrates it. `tell` takes news
 * for the operator. Throws DatabaseUnusable.
 */
export async function openEmbedded(dataDir: string | null, tell: Tell = () => {}): Promise<Db> {
  if (dataDir === null) {
    const client = await PGlite.create(await readPgliteFiles())
    return await serve(client, { tell, snapshot: (work) => work(client), onClose() {} })
  }
  const directory = takeDirectory(dataDir)
  try {
    const client = await openIn(directory, tell)
    const alone = oneAtATime()
    const snapshot = snapshots(client, directory.path, alone)
    const stopCheckpoints = keepLogShort(client, alone)
    return await serve(client, {
      tell,
      snapshot,
      onClose() {
        stopCheckpoints()
        directory.unlock()
      },
    })
  } catch (error) {
    directory.unlock()
    throw error
  }
}

type Surroundings = {
  readonly tell: Tell
  readonly snapshot: Snapshot
  readonly onClose: () => void
}

async function serve(client: PGlite, { tell, snapshot, onClose }: Surroundings): Promise<Db> {
  const queries = queriesOf(client)
  if (!(await isMigrated(queries))) {
    tell('Shipfeed migrates the database', 'database_migrating')
    await migrate(queries)
  }
  await client.exec(setPlanner)
  const run = guard((work, until) => before(until, work(queries)))
  return {
    run,
    read: run,
    migrated: Promise.resolve(),
    hearBell(ring) {
      const listening = client.listen(bellChannel, ring)
      return { isHeard: true, stop: async () => (await listening)() }
    },
    snapshot: (work) =>
      snapshot((copy) =>
        queriesOf(copy).transaction(work, { isolationLevel: 'repeatable read', accessMode: 'read only' }),
      ),
    runAtLength: (work) => queries.transaction(work),
    async close() {
      await client.close()
      onClose()
    },
  }
}

function queriesOf(client: PGlite): Queries {
  return drizzle(client, { casing: 'snake_case' }) as unknown as Queries
}

/** Opens what is in a directory, or makes it, as it is: see migrations.ts. Throws DatabaseUnusable. */
export async function openIn({ path, isEmpty }: DataDirectory, tell: Tell): Promise<PGlite> {
  try {
    // Said before, since nothing else runs in this process meanwhile.
    tell(
      isEmpty ? `Shipfeed makes a database in ${path}, which takes some seconds` : `Shipfeed opens ${path}`,
      'database_opening',
    )
    await removeCopy(path)
    const files = await readPgliteFiles()
    if (isEmpty) {
      await makeDatabase(path, async (place) => (await PGlite.create(place, files)).close())
    }
    return await PGlite.create({
      ...files,
      fs: new DurableFs(path),
      startParams: durableParams(PGlite.defaultStartParams),
    })
  } catch (error) {
    const [cause = ''] = messageOf(error).split('\n')
    throw new DatabaseUnusable(
      `the database in ${path} cannot be opened (${cause}): make room where the disk is full, else put a backup there`,
    )
  }
}
