import { cpSync, existsSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { writeWhole } from '../../commands/output-file.ts'
import type { TableUse } from '../../data/table-uses/table-use.ts'
import type { Queries, Report } from '../../database/db.ts'
import { DatabaseUnusable, messageOf } from '../../database/errors.ts'
import { folderIn, isOfPglite, moveFileIn, takeDirectory } from '../../database/local/directory.ts'
import { migrate } from '../../database/migrations.ts'
import { openDatabase } from '../../database/open.ts'
import { NotEmpty } from './read.ts'
import { restoreDump } from './restore.ts'
import { writeDump } from './write.ts'

type Move = {
  readonly dataDir: string
  /** Those of a dump. */
  readonly tables: readonly TableUse[]
  readonly report: Report
}

/**
 * Moves the database of a DATA_DIR from PGlite, which versions until 1.1.0 used, to a Postgres. Its old folder stays as
 * `pglite`. May be interrupted at any moment and run again. Throws DatabaseUnusable.
 */
export async function moveFromPglite(move: Move): Promise<void> {
  const { dataDir, tables, report } = move
  const dump = moveFileIn(dataDir)
  const kept = join(dataDir, 'pglite')
  if (isOfPglite(folderIn(dataDir))) {
    using directory = takeDirectory(dataDir)
    if (directory === null) {
      throw new DatabaseUnusable(`${dataDir} is in use by another process: stop it, or set another DATA_DIR`)
    }
    // Another process may just have moved it.
    if (isOfPglite(directory.path)) {
      if (existsSync(kept)) {
        throw new DatabaseUnusable(
          `${kept} is of an earlier move, and this one needs its place: move it elsewhere`,
        )
      }
      report(`Moving ${directory.path} from PGlite to Postgres`, 'database_moving')
      await dumpPglite(directory.path, `${kept}.copy`, { file: dump, tables }).catch((error: unknown) => {
        if (error instanceof DatabaseUnusable) throw error
        const [reason = ''] =
          error instanceof Error ? messageOf(error).split('\n') : ['its files cannot be read']
        throw new DatabaseUnusable(
          `the database of PGlite in ${directory.path} cannot be moved (${reason}), and was not changed: check the free space, or restore a backup into another DATA_DIR`,
        )
      })
      renameSync(directory.path, kept)
    }
  }
  if (!existsSync(dump)) return
  await restore(dump, move)
  rmSync(dump)
  report(`Moved the database to Postgres. Once all is well, delete ${kept}`, 'database_moving')
}

/** Opens a copy, because that changes files. */
async function dumpPglite(
  path: string,
  copy: string,
  { file, tables }: { readonly file: string } & Pick<Move, 'tables'>,
): Promise<void> {
  const { PGlite } = await import('@electric-sql/pglite').catch(() => {
    throw new DatabaseUnusable(
      `${path} was made by Shipfeed 1.1.0 or older: run "dump" with that version, and "restore" with this one into another DATA_DIR`,
    )
  })
  const { drizzle } = await import('drizzle-orm/pglite')
  rmSync(copy, { recursive: true, force: true })
  try {
    cpSync(path, copy, { recursive: true })
    await using client = await PGlite.create(copy)
    const queries = drizzle(client) as unknown as Queries
    // It may be of version 1.0.0.
    await migrate(queries)
    const snapshot = <T>(work: (queries: Queries) => Promise<T>) =>
      queries.transaction(work, { isolationLevel: 'repeatable read', accessMode: 'read only' })
    await writeWhole(file, (write) => writeDump({ snapshot }, tables, write))
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}

async function restore(dump: string, { dataDir, tables, report }: Move): Promise<void> {
  const db = await openDatabase({ databaseUrl: null, dataDir }, report)
  try {
    await db.migrated
    await restoreDump(db, tables, Bun.file(dump).stream(), { isMove: true })
  } catch (error) {
    // A process that was killed after restoring has left the file.
    if (error instanceof NotEmpty) return
    throw new DatabaseUnusable(
      `the database of PGlite was not moved (${messageOf(error)}): ${dump} has all of it`,
    )
  } finally {
    await db.close()
  }
}
