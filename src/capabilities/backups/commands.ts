import { existsSync } from 'node:fs'
import { type Command, CommandRefused, Misused, program } from '../../commands/command.ts'
import type { Config } from '../../config.ts'
import { joinDatabase } from '../../database/open.ts'
import { DumpRefused } from './read.ts'
import { restoreDump } from './restore.ts'
import { writeDump } from './write.ts'

export const dumpCommand: Command<string | null> = {
  name: 'dump',
  summary: 'write the whole database to a file, while the service runs',
  usage: `${program} dump <file>

The file shows one instant, and can be restored here or on another server. It appears once it is complete, replaces a
file of the same name, and can be read only by you: it contains the secrets of webhooks and intakes, and the hashes of
passwords and tokens. Without a file name, the dump goes to the standard output.

For example: ${program} dump shipfeed-$(date +%F).dump`,
  read: onlyFile,
  file: (file) => file,
  withDatabase: ({ db, tables, output }) => writeDump(db, tables, output),
}

/** The one file name that a command may take; null if there is none. */
function onlyFile(words: readonly string[]): string | null {
  const [file = null, ...more] = words
  if (more.length === 0 && file?.startsWith('-') !== true) return file
  throw new Misused('give one file name')
}

const moved = '--moved'

export const restoreCommand: Command<{ file: string | null; isMove: boolean }> = {
  name: 'restore',
  summary: 'restore a dump into an empty database, before the service runs on it',
  usage: `${program} restore [${moved}] <file>

The database in DATABASE_URL or DATA_DIR must be empty; in DATA_DIR, which must be there, it is created if there is none.
A file that is cut short, altered or from a newer Shipfeed is refused, and nothing is restored. Without a file name, it
reads the standard input. Webhooks are paused, unless you say by ${moved} that the service of the dump sends no more.

For example: DATABASE_URL=postgres://… ${program} restore shipfeed.dump`,
  read: (words) => ({
    file: onlyFile(words.filter((word) => word !== moved)),
    isMove: words.includes(moved),
  }),
  async alone(readSettings, { file, isMove }) {
    const { config, tables } = readSettings()
    const bytes = await open(file)
    const place = placeOf(config)
    const db = await joinDatabase(config, (news) => console.error(news))
    try {
      await db.migrated
      const onTable = (table: string) => console.error(`Restoring ${table} …`)
      const rows = await restoreDump(db, tables, bytes, { onTable, isMove })
      console.error(`Restored ${rows.users} users and ${rows.deployments} deployments into ${place}`)
      if (rows.webhooks !== 0 && !isMove)
        console.error(`Its webhooks (${rows.webhooks}) are paused, and their owners can resume them`)
    } catch (error) {
      if (!(error instanceof DumpRefused)) throw error
      throw new CommandRefused(`nothing was restored: ${error.message}`)
    } finally {
      await db.close()
    }
  },
}

/** The database that is filled. One in a folder that is not there would hardly be the service's. */
function placeOf({ databaseUrl, dataDir }: Config): string {
  if (databaseUrl !== null) return 'the Postgres server in DATABASE_URL'
  if (existsSync(dataDir)) return `DATA_DIR "${dataDir}"`
  throw new CommandRefused(
    `there is no folder "${dataDir}": set the DATABASE_URL or DATA_DIR of the service, or make that folder for its user`,
  )
}

async function open(name: string | null): Promise<ReadableStream<Uint8Array>> {
  if (name === null && process.stdin.isTTY) {
    throw new CommandRefused(`give the file to restore: ${program} restore <file>`)
  }
  if (name === null) return Bun.stdin.stream()
  const file = Bun.file(name)
  if (await file.exists()) return file.stream()
  throw new CommandRefused(`there is no file "${name}"`)
}
