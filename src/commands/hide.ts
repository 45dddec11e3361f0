import { findPosted } from '../data/deployments.ts'
import { withdrawDeployment } from '../data/withdrawals.ts'
import { withControlPictures } from '../domain/text.ts'
import { timestampOf } from '../domain/time.ts'
import { type Command, CommandRefused, program } from './command.ts'
import { onlyWord } from './words.ts'

/** `hide 412`: withdraws a deployment, as its poster could. */
export const hide: Command = {
  name: 'hide',
  summary: 'withdraw a deployment from feed, pages and badges, as its poster could',
  usage: `${program} hide <id, or the address of its page> [--yes]\n\nFor example: ${program} hide 412`,
  prepare(words) {
    const typed = onlyWord(hide, words)
    const [, digits] = /^(?:https?:\/\/\S+\/)?(\d{1,15})$/.exec(typed) ?? []
    if (digits === undefined)
      throw new CommandRefused(`"${typed}" is no id: it is the number at the end of its page's address`)
    const id = Number(digits)
    return {
      question: `Delete deployment ${id} for good?`,
      async withDatabase({ db, output }) {
        const found = await findPosted(db, id)
        if (found === null || !(await withdrawDeployment(db, { userId: found.poster.id, id }))) {
          throw new CommandRefused(`there is no deployment ${id}: it may have been withdrawn`)
        }
        const { poster, deployedAt, message } = found
        const [title = ''] = withControlPictures(message)
          .trim()
          .split(/[\r\n]/)
        await output(`Hid deployment ${id} of "${poster.username}" (${poster.name}), announced at ${timestampOf(deployedAt)}:
${title}\n`)
      },
    }
  },
}
