import { PGlite, type PGliteOptions } from '@electric-sql/pglite'
import imagePath from './empty-database.image' with { type: 'file' }
import { pgliteHash } from './pglite-files.ts'

/** The image begins with this many bytes: the `pgliteHash` of its PGlite. A tar packed by zstd follows. */
const hashBytes = 32

/**
 * Makes an empty database in an empty folder, from the image that `npm run image` makes. If another version
 * of PGlite made the image, runs initdb instead, which takes ten times as long and a gigabyte of memory.
 */
export async function makeEmptyDatabase(path: string, files: PGliteOptions): Promise<void> {
  const image = await readImage()
  if (image === null) await runInitdb(path, files)
  else await new Bun.Archive(image).extract(path)
}

/** The tar of an empty database, or null if another PGlite made the image. */
export async function readImage(): Promise<Buffer<ArrayBuffer> | null> {
  const image = await Bun.file(imagePath).bytes()
  const isOfThisPglite = (await pgliteHash()).equals(image.subarray(0, hashBytes))
  return isOfThisPglite
    ? ((await Bun.zstdDecompress(image.subarray(hashBytes))) as Buffer<ArrayBuffer>)
    : null
}

/**
 * Makes an empty database in an empty folder, as Postgres leaves it after an orderly shutdown. It leaves out
 * the two template databases, which are two thirds of the files, because each file has to be synced.
 */
export async function runInitdb(path: string, files: PGliteOptions): Promise<void> {
  const client = await PGlite.create(path, files)
  await client.exec('update pg_database set datistemplate = false')
  for (const template of ['template0', 'template1']) await client.exec(`drop database ${template}`)
  await client.close()
}
