// npm run image: makes the image of an empty database that src/database/embedded/pglite.ts unpacks.
import { fileURLToPath } from 'node:url'
import { pgliteHash, readPgliteFiles, runInitdb } from '../../../src/database/embedded/pglite.ts'
import { temporaryDirectory } from '../../support/process.ts'

const imagePath = fileURLToPath(
  new URL('../../../src/database/embedded/empty-database.image', import.meta.url),
)
const { path, remove } = temporaryDirectory()
await runInitdb(path, await readPgliteFiles())
const tar = await Bun.$`tar -C ${path} -cf - .`.arrayBuffer()
const image = Buffer.concat([await pgliteHash(), Bun.zstdCompressSync(tar, { level: 22 })])
await Bun.write(imagePath, image)
remove()
console.log(`${imagePath}: ${(image.length / 1e6).toFixed(1)} MB`)
