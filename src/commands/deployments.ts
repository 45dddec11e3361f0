import { withdrawDeployment } from '../data/deployments.ts'
import { timestampOf } from '../domain/time.ts'
import { type Command, CommandRefused, program } from './command.ts'
import { findNamedDeployment, gone, type NamedDeployment, namedIn, shownTitle } from './named-deployment.ts'

export const withdrawCommand: Command<NamedDeployment> = {
  name: 'withdraw',
  formerName: 'hide',
  summary: 'permanently delete a deployment, as its poster can',
  usage: `${program} withdraw <id, username/id, or the address of its page> [--yes]

For example: ${program} withdraw ada/412`,
  read: namedIn,
  async question({ db }, named) {
    const { id, poster, message } = await findNamedDeployment(db, named)
    return `Permanently delete deployment ${id} of "${poster.username}" (${poster.name}), “${shownTitle(message)}”?`
  },
  async withDatabase({ db, output }, named) {
    const { id, poster, message, deployedAt } = await findNamedDeployment(db, named)
    if (!(await withdrawDeployment(db, { userId: poster.id, id }))) throw new CommandRefused(gone(named))
    await output(`Deleted deployment ${id} of "${poster.username}" (${poster.name}), announced at ${timestampOf(deployedAt)}:
${shownTitle(message)}\n`)
  },
}
