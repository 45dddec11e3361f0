import { afterAll, beforeAll, expect, test } from 'bun:test'
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { sql } from 'drizzle-orm'
import type { Db } from '../../src/database/db.ts'
import { openPostgres } from '../../src/database/postgres/open.ts'
import { everyCommand } from '../support/configuration.ts'
import { createPostgresDatabase, openLocalDatabase, query } from '../support/database.ts'
import { binary } from '../support/deploy/binary.ts'
import { outcomeOf } from '../support/deploy/programs.ts'
import { linesOf, opened } from '../support/dump/dumps.ts'
import { signUpPoster } from '../support/people.ts'
import { doorOf, type Process, startProcess, temporaryDirectory } from '../support/process.ts'

/** What the documents leave to the reader: a folder, an empty database, a program in a container. */
const folderInDocs = '/srv/shipfeed'
const postgresInDocs = 'postgres://…'
const containerInDocs = 'docker compose exec -T app-1 /shipfeed'

const root = join(import.meta.dir, '../..')
const directory = temporaryDirectory()
const data = join(directory.path, 'service')
const messages = Array.from({ length: 30 }, (_, n) => `Deployment ${n} “é” 🚀`)
let service: Process
/** The latest dump of this service. */
let dumped = join(directory.path, 'older.dump')

beforeAll(async () => {
  service = startProcess({ DATA_DIR: data })
  const poster = await signUpPoster(doorOf(await service.url))
  for (const message of messages) expect((await poster.announce({ message })).status).toBe(201)
})
afterAll(async () => {
  service.child.kill('SIGKILL')
  await service.child.exited
  directory.remove()
})

test('a file that begins with lines of npm is restored, because older documents said to redirect npm', async () => {
  expect(await run(`npm start -- dump > ${dumped}`, checkout(), data)).toMatchObject({ code: 0 })
  expect(readFileSync(dumped, 'latin1')).toMatch(/^\s*> shipfeed@/)
  const place = checkout()
  const empty = join(place.cwd, 'new')
  mkdirSync(empty)
  expect(await run(`npm start -- restore < ${dumped}`, place, empty)).toMatchObject({ code: 0 })
  expect(await messagesIn(openLocalDatabase(empty))).toEqual(messages)
})

test.each([
  ['through npm in a checkout', 'npm start --', async () => checkout()],
  ['through the binary', 'shipfeed', folderOfBinary],
])(
  'every documented line that dumps or restores does so, %s',
  async (_, program, makePlace) => {
    const lines = documentedLines(program)
    for (const word of ['dump', 'restore']) {
      expect(lines.filter((line) => line.includes(` ${word} `)).length).toBeGreaterThanOrEqual(2)
    }
    for (const line of lines) {
      const place = await makePlace()
      if (line.includes(' dump ')) await dumps(line, place)
      else await restores(line, place)
    }
  },
  300_000,
)

type Place = { readonly cwd: string; readonly PATH: string }

/** The line makes a file with every deployment, while the service runs. */
async function dumps(line: string, place: Place): Promise<void> {
  const before = readdirSync(place.cwd)
  expect([line, await run(line, place, data)]).toEqual([line, { code: 0, said: expect.any(String) }])
  const made = readdirSync(place.cwd).filter((name) => !before.includes(name))
  expect([line, made]).toEqual([line, [expect.stringMatching(/\.dump$/)]])
  dumped = join(place.cwd, made[0] ?? '')
  if (!line.includes('>')) expect([line, statSync(dumped).mode & 0o777]).toEqual([line, 0o600])
  const bytes = linesOf(await Bun.file(dumped).bytes()).join('\n')
  expect([line, messages.filter((message) => !bytes.includes(message))]).toEqual([line, []])
}

/** On a machine to which the file was copied, the line restores every deployment. */
async function restores(line: string, place: Place): Promise<void> {
  copyFileSync(dumped, join(place.cwd, line.split(' ').at(-1) ?? ''))
  const folder = join(place.cwd, 'new')
  mkdirSync(folder)
  if (!line.includes(postgresInDocs)) {
    expect([line, await run(line, place, folder)]).toMatchObject([line, { code: 0 }])
    return expect([line, await messagesIn(openLocalDatabase(folder))]).toEqual([line, messages])
  }
  const { url, drop } = await createPostgresDatabase()
  const there = line.replace(postgresInDocs, url)
  expect([line, await run(there, place, folder)]).toMatchObject([line, { code: 0 }])
  expect([line, await messagesIn(openPostgres(url))]).toEqual([line, messages])
  await drop()
}

/** The commands in the documents and in the help; `program` is how the program is called. */
function documentedLines(program: string): readonly string[] {
  const documents = [
    'README.md',
    'SECURITY.md',
    'docs/operations.md',
    'docs/scaling.md',
    'docs/decisions.md',
    'deploy/shipfeed.service',
  ]
  const texts = documents.map((name) => readFileSync(join(root, name), 'utf8'))
  texts.push(...everyCommand().map(({ usage }) => usage))
  const typed = /(?:[A-Z_]+=\S+ )*(?:npm start --|\bshipfeed) (?:dump|restore) [^`<|\n]+/g
  const lines = texts.flatMap((text) => text.replaceAll(containerInDocs, 'shipfeed').match(typed) ?? [])
  const ofProgram = lines
    .map((line) => line.trim().replace(/npm start --|(?<=^| )shipfeed(?= )/, program))
    // npm adds lines to redirected output, which the test above covers.
    .filter((line) => program === 'shipfeed' || !line.includes('>'))
  return [...new Set(ofProgram)]
}

/** Runs a line in a shell, with a folder of this test in place of the documented one. */
async function run(line: string, { cwd, PATH }: Place, folder: string) {
  return await outcomeOf(['/bin/sh', '-c', line.replace(folderInDocs, folder)], {
    cwd,
    env: { PATH, HOME: directory.path, DATA_DIR: folder },
  })
}

async function messagesIn(database: Promise<Db>): Promise<readonly string[]> {
  await using there = await opened(database)
  await there.db.migrated
  const rows = await query<{ message: string }>(there.db, sql`select message from deployments order by id`)
  return rows.map(({ message }) => message)
}

/** A checkout with its packages, and nothing else in its folder. */
function checkout(): Place {
  const cwd = mkdtempSync(join(directory.path, 'checkout-'))
  for (const name of ['package.json', 'tsconfig.json', 'node_modules', 'src', 'drizzle', 'static', 'ci']) {
    symlinkSync(join(root, name), join(cwd, name))
  }
  return { cwd, PATH: process.env.PATH ?? '' }
}

async function folderOfBinary(): Promise<Place> {
  const cwd = mkdtempSync(join(directory.path, 'binary-'))
  return { cwd, PATH: `${dirname(await binary())}:${process.env.PATH}` }
}
