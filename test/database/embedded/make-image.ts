// npm run image: makes the image of an empty database that src/database/embedded/open.ts unpacks.
import { fileURLToPath } from 'node:url'
import { PGlite } from '@electric-sql/pglite'
import { readPgliteFiles } from '../../../src/database/embedded/pglite.ts'
import { temporaryDirectory } from '../../support/process.ts'

if (import.meta.main) {
  const imagePath = fileURLToPath(
    new URL('../../../src/database/embedded/empty-database.image', import.meta.url),
  )
  const { path, remove } = temporaryDirectory()
  await runInitdb(path)
  const tar = await Bun.$`tar -C ${path} -cf - .`.arrayBuffer()
  const image = Bun.zstdCompressSync(tar, { level: 22 })
  await Bun.write(imagePath, image)
  remove()
  console.log(`${imagePath}: ${(image.length / 1e6).toFixed(1)} MB`)
}

/**
 * Makes an empty database in an empty folder, as Postgres leaves it after an orderly shutdown. Removes the two
 * template databases, because they have two thirds of the files, and each file has to be synced.
 */
export async function runInitdb(path: string): Promise<void> {
  const client = await PGlite.create(path, await readPgliteFiles())
  await client.exec('update pg_database set datistemplate = false')
  for (const template of ['template0', 'template1']) await client.exec(`drop database ${template}`)
  await client.close()
}
