import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { drizzle } from 'drizzle-orm/pglite'
import type { Db, Queries } from '../../src/database/db.ts'
import { type Opened, openEmbedded } from '../../src/database/embedded/open.ts'
import { readImage, readPgliteFiles } from '../../src/database/embedded/pglite.ts'
import { migrate } from '../../src/database/migrations.ts'

/** An empty embedded database in memory, without a schema. */
export async function createInMemory(): Promise<PGlite> {
  const image = await readImage()
  return await createFrom(image === null ? undefined : new Blob([image], { type: 'application/x-tar' }))
}

/** An empty, migrated embedded database in memory. Migrating takes most of the time, so it is done once and copied. */
export async function openInMemory(): Promise<Db> {
  migrated ??= makeMigrated()
  const opened = migrated
    .then(createFrom)
    .then((client): Opened => ({ client, snapshot: (work) => work(client), close: () => client.close() }))
  const db = openEmbedded(opened)
  await db.migrated
  return db
}

/** Puts an empty, migrated embedded database into a DATA_DIR, which is quicker than a first start there. */
export async function fillDataDirectory(dataDir: string): Promise<void> {
  migrated ??= makeMigrated()
  const folder = join(dataDir, 'postgres')
  await new Bun.Archive(await migrated).extract(folder)
  // An orderly shutdown leaves none.
  rmSync(join(folder, 'postmaster.pid'))
}

/** The migrated database of this test process, as a tar. */
let migrated: Promise<Blob> | null = null

async function makeMigrated(): Promise<Blob> {
  const client = await createInMemory()
  await migrate(drizzle(client, { casing: 'snake_case' }) as unknown as Queries)
  // Otherwise each copy would recover from its log when it is opened, as after a crash.
  await client.exec('checkpoint')
  const image = await client.dumpDataDir('none')
  await client.close()
  return image
}

let files: ReturnType<typeof readPgliteFiles> | null = null

async function createFrom(image: Blob | undefined): Promise<PGlite> {
  files ??= readPgliteFiles()
  const options = await files
  return await PGlite.create(image === undefined ? options : { ...options, loadDataDir: image })
}
