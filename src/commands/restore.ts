import { DumpRefused } from '../data/dump/refused.ts'
import { restoreDump } from '../data/dump/restore.ts'
import type { Db } from '../database/db.ts'
import { openDatabase } from '../database/open.ts'
import { type Command, CommandRefused, program } from './command.ts'

/** `restore < file`: what `dump` wrote, into an empty database. */
export const restore: Command = {
  name: 'restore',
  summary: 'read what `dump` wrote into an empty database, before the service runs on it',
  usage: `${program} restore < file

The database of DATABASE_URL or DATA_DIR must be empty; it is made where there is none. A file that is cut,
altered or of a newer Shipfeed is refused, and leaves nothing behind.

For example: DATABASE_URL=postgres://… ${program} restore < shipfeed.dump`,
  prepare(args) {
    if (args.length > 0) throw new CommandRefused(`it takes no arguments: ${program} restore < file`)
    return {
      async alone({ readConfig }) {
        const config = readConfig()
        if (process.stdin.isTTY) throw new CommandRefused(`say what to restore: ${program} restore < file`)
        const db = await openDatabase({ ...config, databaseReadUrl: null }, (news) => console.error(news))
        try {
          await db.migrated
          await restoreInput(db)
        } finally {
          await db.close()
        }
      },
    }
  },
}

async function restoreInput(db: Db): Promise<void> {
  try {
    const rows = await restoreDump(db, Bun.stdin.stream(), (table) => console.error(`Restoring ${table} …`))
    console.error(`Restored ${rows.users} users and ${rows.deployments} deployments`)
  } catch (error) {
    if (error instanceof DumpRefused) throw new CommandRefused(`nothing was restored: ${error.message}`)
    throw error
  }
}
