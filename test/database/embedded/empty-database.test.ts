import { afterAll, expect, test } from 'bun:test'
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readImage, readPgliteFiles, runInitdb } from '../../../src/database/embedded/pglite.ts'
import { temporaryDirectory } from '../../support/process.ts'

const directory = temporaryDirectory()
afterAll(directory.remove)

/** These files contain the time at which the database was made. */
const ofTheHour = ['global/pg_control', 'pg_wal/000000010000000000000001']

test('The image is what initdb of this PGlite makes (else run npm run image)', async () => {
  const [unpacked, made] = ['unpacked', 'made'].map((name) => join(directory.path, name)) as [string, string]
  const image = await readImage()
  if (image === null) throw new Error('It is the image of another PGlite')
  await new Bun.Archive(image).extract(unpacked)
  mkdirSync(made)
  await runInitdb(made, await readPgliteFiles())
  const files = contentsOf(made)
  expect(files.size).toBeGreaterThan(300)
  for (const name of ofTheHour) expect(files.has(name)).toBeTrue()
  expect([...contentsOf(unpacked)]).toEqual([...files])
})

/** Every file and folder by its name, and a hash of what is in the file. */
function contentsOf(folder: string): Map<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  return new Map(
    entries
      .map((entry): [string, string] => {
        const path = join(entry.parentPath, entry.name)
        const name = path.slice(folder.length + 1)
        if (entry.isDirectory() || ofTheHour.includes(name)) return [name, '']
        return [name, Bun.hash(readFileSync(path)).toString(36)]
      })
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  )
}
