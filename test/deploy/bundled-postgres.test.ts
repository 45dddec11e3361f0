import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import {
  appendFileSync,
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { $ } from 'bun'
import { programsName } from '../../src/database/local/bundle.ts'
import { binary } from '../support/deploy/binary.ts'
import { outcomeOf } from '../support/deploy/programs.ts'
import { needing } from '../support/needs/needs.ts'
import { endOf, startCommand, temporaryDirectory } from '../support/process.ts'

const directory = temporaryDirectory()
const dataDir = join(directory.path, 'data')
afterAll(directory.remove)

let program: string
beforeAll(async () => {
  program = await binary()
})

const environment = { HOST: '127.0.0.1', PORT: '0', PATH: process.env.PATH ?? '' }

/** Starts the binary on a DATA_DIR, waits until it serves, and stops it. */
async function serveOnce(folder = dataDir): Promise<void> {
  const service = startCommand([program], { cwd: '/', env: { ...environment, DATA_DIR: folder } })
  await service.url
  service.child.kill('SIGTERM')
  expect((await endOf(service)).code).toBe(0)
}

/** What a start says that is refused, without the lines of the log. */
async function refusalOf(folder: string, ...before: string[]): Promise<string> {
  const { code, said } = await outcomeOf([...before, program], {
    cwd: '/',
    env: { ...environment, DATA_DIR: folder },
  })
  expect(code).toBe(1)
  return said.replace(/^\{"at".*\n/gm, '')
}

function foldersIn(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => name.startsWith('programs-'))
    .toSorted()
}

describe('The Postgres of the binary', () => {
  test('is unpacked once, for every user to read, and again if anything of it was changed', async () => {
    await serveOnce()
    const [folder = '', ...others] = foldersIn(dataDir)
    expect([folder, others]).toEqual([expect.stringMatching(/^programs-18-[0-9a-f]{16}$/), []])
    const postgres = join(dataDir, folder, 'bin/postgres')
    const zone = join(dataDir, folder, 'share/postgresql/timezone/UTC')
    expect([postgres, zone].map((path) => statSync(path).mode & 0o777)).toEqual([0o755, 0o644])
    const unpacked = statSync(postgres).ino
    await serveOnce()
    expect(statSync(postgres).ino).toBe(unpacked)

    for (const change of [() => appendFileSync(zone, 'x'), () => chmodSync(zone, 0o600)]) {
      const before = statSync(postgres).ino
      change()
      await serveOnce()
      expect(statSync(postgres).ino).not.toBe(before)
      expect(await programsName(join(dataDir, folder), 18)).toBe(folder)
    }
  })

  test('replaces that of former binaries', async () => {
    for (const name of [
      'programs-18-0123456789abcdef',
      'programs-17-0123456789abcdef',
      'programs-unfinished',
    ]) {
      mkdirSync(join(dataDir, name, 'bin'), { recursive: true })
    }
    const [ours] = foldersIn(dataDir).filter((name) => existsSync(join(dataDir, name, 'lib')))
    await serveOnce()
    expect(foldersIn(dataDir)).toEqual([ours ?? ''])
  })

  needing('root').test('belongs to the owner of DATA_DIR, also if root unpacks it', async () => {
    const folder = join(directory.path, 'owned')
    mkdirSync(folder)
    chownSync(folder, 12_345, 12_345)
    chmodSync(directory.path, 0o711)
    await serveOnce(folder)
    const [name = ''] = foldersIn(folder)
    expect(['.', 'bin/postgres'].map((path) => statSync(join(folder, name, path)).uid)).toEqual([
      12_345, 12_345,
    ])
  })

  test('of another version stays as long as a database of that version needs it', async () => {
    const folder = join(directory.path, 'other')
    mkdirSync(join(folder, 'postgres'), { recursive: true })
    writeFileSync(join(folder, 'postgres/PG_VERSION'), '17\n')
    // A program that says who it is, in the place of a Postgres 17.
    const made = join(folder, 'made')
    mkdirSync(join(made, 'bin'), { recursive: true })
    const says = '#!/bin/sh\n[ "$1" = --version ] || { echo "FATAL:  this is Postgres 17" >&2; exit 1; }\n'
    writeFileSync(join(made, 'bin/postgres'), says, { mode: 0o755 })
    const needed = await programsName(made, 17)
    renameSync(made, join(folder, needed))
    mkdirSync(join(folder, 'programs-16-0123456789abcdef'))
    expect(await refusalOf(folder)).toContain('this is Postgres 17')
    expect(foldersIn(folder)).toEqual([needed, expect.stringMatching(/^programs-18-/)])

    appendFileSync(join(folder, needed, 'bin/postgres'), '#')
    expect(await refusalOf(folder)).toContain('was made by Postgres 17, and this machine has Postgres 18')
    expect(foldersIn(folder)).toEqual([expect.stringMatching(/^programs-18-/)])
  })

  needing('xz').test('does not open a database of PGlite, and says in one line what to do', async () => {
    const folder = join(directory.path, 'pglite')
    mkdirSync(folder)
    await $`tar xJf ${join(import.meta.dir, '../fixtures/pglite-1.1.0.tar.xz')} -C ${folder}`
    const { code, said } = await outcomeOf([program], {
      // Here is a PGlite that must not be loaded.
      cwd: join(import.meta.dir, '../..'),
      env: { ...environment, DATA_DIR: join(folder, 'data') },
    })
    expect([code, said]).toEqual([
      1,
      `Shipfeed cannot start: ${folder}/data/postgres was made by Shipfeed 1.1.0 or older: run "dump" with that version, and "restore" with this one into another DATA_DIR\n`,
    ])
  })

  needing('root', 'unshare').test.each([
    ['that programs may not be run in', 'noexec', 'is mounted with noexec: mount it without that'],
    ['without space', 'size=30m', 'cannot be unpacked into'],
  ])('says in one line that DATA_DIR is on a file system %s', async (_, options, says) => {
    const folder = join(directory.path, options)
    mkdirSync(folder)
    const mounting = `mount -t tmpfs -o ${options} tmpfs ${folder} && exec "$0"`
    const said = await refusalOf(folder, 'unshare', '--mount', 'sh', '-c', mounting)
    expect(said).toStartWith('Shipfeed cannot start: Postgres ')
    expect(said).toContain(says)
    expect(said.trimEnd().split('\n')).toHaveLength(1)
  })
})

/** The file names of the libraries that a program or library of the folder needs, and where each of them is. */
async function librariesOf(file: string): Promise<readonly (readonly [string, string])[]> {
  const { said } = await outcomeOf(['ldd', file])
  return [...said.matchAll(/^\s*(\S+) => (.*?)(?: \(0x[0-9a-f]+\))?$/gm)].map(([, name = '', path = '']) => [
    name,
    path,
  ])
}

/** What a machine has that has a C and a C++ library. */
const ofMachine = /^(libc|libdl|libgcc_s|libm|libpthread|librt|libstdc\+\+)\.so\.\d$/

/** The headings in the licences, by the name of a library. */
const parts: Readonly<Record<string, string>> = {
  libcrypto: 'OpenSSL 1.1.1',
  libicudata: 'ICU 60.2',
  libicui18n: 'ICU 60.2',
  libicuuc: 'ICU 60.2',
  liblzma: 'liblzma 5.2.2',
  libssl: 'OpenSSL 1.1.1',
  libxml2: 'libxml2',
  libz: 'zlib 1.2.11',
}

needing('ldd').test(
  'Its libraries are those that it needs and that not every machine has, each with its licence',
  async () => {
    const folder = join(dataDir, foldersIn(dataDir)[0] ?? '')
    const own = readdirSync(join(folder, 'lib')).filter((name) => name !== 'postgresql')
    const modules = readdirSync(join(folder, 'lib/postgresql')).map((name) => `lib/postgresql/${name}`)
    const needed = new Set<string>()
    for (const file of ['bin/postgres', ...modules]) {
      for (const [name, path] of await librariesOf(join(folder, file))) {
        if (ofMachine.test(name)) continue
        expect([file, name, path]).toEqual([file, name, expect.stringContaining(`${folder}/`)])
        needed.add(name)
      }
    }
    expect(own.toSorted()).toEqual([...needed].toSorted())
    const licenses = await outcomeOf([program, 'licenses'])
    for (const name of own) {
      expect(licenses.said).toContain(`\n${parts[name.split('.')[0] ?? '']}, a library of PostgreSQL\n`)
    }
  },
)
