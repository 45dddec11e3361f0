import { writeDump } from '../data/dump/write.ts'
import { type Command, CommandRefused, program } from './command.ts'

/** `dump > file`: everything that the database holds, as one file for either database. */
export const dump: Command = {
  name: 'dump',
  summary: 'write everything that the database holds to a file, while the service runs',
  usage: `${program} dump > file

The file holds one instant, for \`restore\` on either database. It has the hashes of passwords and tokens in it:
keep it where nobody else can read it.

For example: (umask 077; ${program} dump > shipfeed-$(date +%F).dump)`,
  prepare(args) {
    if (args.length > 0) throw new CommandRefused(`it takes no arguments: ${program} dump > file`)
    return {
      printsFile: true,
      withDatabase: ({ db, output }) => writeDump(db, output),
    }
  },
}
