import { deleteUser, finishDeletions } from '../data/account/deletion.ts'
import { findUser } from '../data/account/users.ts'
import { countDeployments } from '../data/deployments.ts'
import { type Command, CommandRefused, program } from './command.ts'
import { onlyUsername } from './words.ts'

/** `close ada`: deletes an account, as its owner could (docs/decisions.md#accounts). */
export const close: Command = {
  name: 'close',
  summary: 'delete an account with all its deployments, as its owner could',
  usage: `${program} close <username> [--yes]\n\nFor example: ${program} close ada`,
  prepare(words) {
    const username = onlyUsername(close, words)
    return {
      question: `Delete the account "${username}" and all its deployments for good? Nobody can have the username again.`,
      async withDatabase({ db, output }) {
        const found = await findUser(db, username)
        if (found === null) throw new CommandRefused(`there is no user "${username}"`)
        const count = await countDeployments(db, found.user.id)
        await deleteUser(db, found.user.id)
        await output(
          `Closed the account "${username}" (${found.user.name}): its sessions and its token have ended.\n`,
        )
        await finishDeletions(db)
        await output(`Deleted its deployments (${count}). Nobody can have the username again.\n`)
      },
    }
  },
}
