// Builds the one binary: `npm run build`, or `npm run build -- --outfile <path>`.

import { chmodSync, cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { constants, zstdCompressSync } from 'node:zlib'
import { $ } from 'bun'
import {
  archiveSuffix,
  programsMode,
  programsName,
  setModes,
  templateArchive,
} from '../src/database/local/bundle.ts'
import { createDatabase, templatePassword } from '../src/database/local/creation.ts'
import { findPrograms, type Programs, packagedPrograms } from '../src/database/local/programs.ts'
import { systemUserFor } from '../src/database/local/system-user.ts'

/** With a window that holds all of an archive: the databases of an empty one are nearly the same. */
const compression = {
  [constants.ZSTD_c_compressionLevel]: 9,
  [constants.ZSTD_c_windowLog]: 26,
  [constants.ZSTD_c_enableLongDistanceMatching]: 1,
}

process.chdir(join(import.meta.dir, '..'))
const { outfile } = parseArgs({ options: { outfile: { type: 'string', default: 'dist/shipfeed' } } }).values
const place = mkdtempSync(join(tmpdir(), 'shipfeed-build-'))
// initdb may run as another user.
chmodSync(place, 0o711)
try {
  const programs = await findPrograms(place, null)
  if (programs.folder !== packagedPrograms()) throw new Error('the package of Postgres is not installed')
  await Bun.build({
    entrypoints: ['src/main.ts', 'src/capabilities/pictures/png-worker.ts'],
    compile: {
      outfile,
      assets: ['drizzle', 'static', 'src', await packPrograms(programs), await packTemplate(programs)],
      autoloadDotenv: false,
      autoloadBunfig: false,
    },
    sourcemap: 'linked',
    // A database of PGlite is moved by an installation with npm.
    external: ['@electric-sql/pglite', 'drizzle-orm/pglite'],
  })
} finally {
  rmSync(place, { recursive: true, force: true })
}

/**
 * Packs what a server reads, of an installation: without the extensions, and without initdb and what only initdb reads.
 */
async function packPrograms({ folder, major }: Programs): Promise<string> {
  const native = dirname(folder)
  const packed = join(place, 'programs')
  const read =
    /^(bin\/postgres|lib\/postgresql\/(plpgsql|dict_snowball|\w+_and_\w+|euc2004_sjis2004)\.\w+|share\/postgresql\/(extension\/plpgsql|timezone|tsearch_data).*)$/
  const files = readdirSync(native, { recursive: true, encoding: 'utf8' }).filter((file) => read.test(file))
  for (const file of [...files, ...librariesOf(native)]) {
    cpSync(join(native, file), join(packed, file), { dereference: true, recursive: true })
  }
  setModes(packed, programsMode)
  return await pack(packed, `${await programsName(packed, major)}${archiveSuffix}`)
}

/** The libraries that the server loads, and those that they load: a library has their names in it. */
function librariesOf(native: string): readonly string[] {
  const all = readdirSync(join(native, 'lib')).filter((name) => /\.(so|dylib)\b/.test(name))
  const found = new Set<string>()
  const look = (file: string) => {
    const bytes = readFileSync(join(native, file))
    for (const name of all) {
      if (found.has(name) || !bytes.includes(`${name}\0`)) continue
      found.add(name)
      look(join('lib', name))
    }
  }
  look('bin/postgres')
  return [...found].map((name) => join('lib', name))
}

/** Packs an empty database (see `copyTemplate`). */
async function packTemplate(programs: Programs): Promise<string> {
  const path = join(place, 'template')
  const user = await systemUserFor(place, path, programs)
  await createDatabase({ path, programs, user }, templatePassword)
  return await pack(path, templateArchive)
}

async function pack(folder: string, name: string): Promise<string> {
  const archive = join(place, name)
  const tar = await $`tar --create --file - --directory ${folder} .`.arrayBuffer()
  await Bun.write(archive, zstdCompressSync(new Uint8Array(tar), { params: compression }))
  return archive
}
