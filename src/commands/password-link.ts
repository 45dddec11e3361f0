import { linkMinutes, storePasswordLink } from '../data/account/password-links.ts'
import { hashSecret, newSecret } from '../data/account/secret.ts'
import { usernameReasons } from '../domain/account/username.ts'
import { type Command, CommandRefused, program, type Task } from './command.ts'
import { onlyUsername } from './words.ts'

/** `password ada`: a link, good once and for an hour, at which Ada chooses a new password. */
export const password: Command = {
  name: 'password',
  summary: 'print a link, good once, at which a user chooses a new password',
  usage: `${program} password <username>\n\nFor example: ${program} password ada`,
  prepare: (words) => linkTask(onlyUsername(password, words), { isNew: false }),
}

/** `account ada`: the same for an account that is not there yet, also where registration is closed. */
export const account: Command = {
  name: 'account',
  summary: 'print a link, good once, at which somebody chooses the password of a new account',
  usage: `${program} account <username>\n\nFor example: ${program} account grace`,
  prepare(words) {
    const username = onlyUsername(account, words)
    const [reason] = usernameReasons(username)
    if (reason !== undefined) throw new CommandRefused(`"${username}" ${reason}`)
    return linkTask(username, { isNew: true })
  },
}

function linkTask(username: string, { isNew }: { isNew: boolean }): Task {
  return {
    async withDatabase({ db, config, output }) {
      const secret = newSecret()
      if (!(await storePasswordLink(db, { hash: hashSecret(secret), username, isNew }))) {
        throw new CommandRefused(isNew ? `"${username}" is taken` : `there is no user "${username}"`)
      }
      await output(`${config.baseUrl}/password?link=${secret}
Whoever opens it within ${linkMinutes} minutes chooses the password of "${username}", once.\n`)
    },
  }
}
