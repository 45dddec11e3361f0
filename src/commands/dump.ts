import { DumpRefused } from '../data/dump/read.ts'
import { restoreDump } from '../data/dump/restore.ts'
import { writeDump } from '../data/dump/write.ts'
import { joinDatabase } from '../database/open.ts'
import { type Command, CommandRefused, Misused, program } from './command.ts'

export const dumpCommand: Command<string | null> = {
  name: 'dump',
  summary: 'write the whole database to a file, while the service runs',
  usage: `${program} dump <file>

The file shows one instant, and can be restored here or on another server. It appears once it is complete, replaces a
file of the same name, and can be read only by you, because it contains the hashes of passwords and tokens. Without a
file name, the dump goes to the standard output.

For example: ${program} dump shipfeed-$(date +%F).dump`,
  read: onlyFile,
  file: (file) => file,
  withDatabase: ({ db, output }) => writeDump(db, output),
}

/** The one file name that a command may take; null if there is none. */
function onlyFile(words: readonly string[]): string | null {
  const [file = null, ...more] = words
  if (more.length === 0 && file?.startsWith('-') !== true) return file
  throw new Misused('give one file name')
}

export const restoreCommand: Command<string | null> = {
  name: 'restore',
  summary: 'restore a dump into an empty database, before the service runs on it',
  usage: `${program} restore <file>

The database in DATABASE_URL or DATA_DIR must be empty; in DATA_DIR it is created if there is none. A file that is cut
short, altered or from a newer Shipfeed is refused, and nothing is restored. Without a file name, it reads the standard
input.

For example: DATABASE_URL=postgres://… ${program} restore shipfeed.dump`,
  read: onlyFile,
  async alone(readConfig, file) {
    const config = readConfig()
    const bytes = await open(file)
    const db = await joinDatabase(config, (news) => console.error(news))
    try {
      await db.migrated
      const rows = await restoreDump(db, bytes, { onTable: (table) => console.error(`Restoring ${table} …`) })
      console.error(`Restored ${rows.users} users and ${rows.deployments} deployments`)
    } catch (error) {
      if (!(error instanceof DumpRefused)) throw error
      throw new CommandRefused(`nothing was restored: ${error.message}`)
    } finally {
      await db.close()
    }
  },
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
