import { endAccess, otherAccess } from '../data/account/access.ts'
import { deleteUser, finishDeletions } from '../data/account/deletion.ts'
import { linkMinutes, storePasswordLink } from '../data/account/password-links.ts'
import { unmatchable } from '../data/account/passwords.ts'
import { endSessions } from '../data/account/sessions.ts'
import { hashSecret, newSecret } from '../data/account/tokens.ts'
import { createUser, findUser, listAccounts } from '../data/account/users.ts'
import { countDeployments } from '../data/deployments.ts'
import { readSettings, type ServiceSettings } from '../data/service-settings.ts'
import type { Db } from '../database/db.ts'
import { displayNameReasons, type User, usernameOf, usernameReasons } from '../domain/account/user.ts'
import { dateOf, utcDayOf } from '../domain/time.ts'
import { type Command, CommandRefused, type Context, Misused, program, tableRow } from './command.ts'

export const passwordCommand: Command<string> = {
  name: 'password',
  summary: 'print a link, valid once, at which a user chooses a new password',
  usage: `${program} password <username>\n\nFor example: ${program} password ada`,
  read: onlyUsername,
  async withDatabase(context, username) {
    const link = await makeLink(context, { username, isNew: false })
    if (link === null) throw new CommandRefused(`there is no user "${username}"`)
    await context.output(link)
  },
}

/** For a new account, even if registration is closed. */
export const accountCommand: Command<{ username: string; name: string }> = {
  name: 'account',
  summary: 'print a link, valid once, at which a new user chooses their password',
  usage: `${program} account <username> [display name]

The display name can be changed at the link. Where a proxy signs people in, the account is made at once. For example: ${program} account grace "Grace Hopper"`,
  read([first, ...rest]) {
    const username = onlyUsername(first === undefined ? [] : [first])
    const name = rest.join(' ').trim()
    const [reason] = usernameReasons(username)
    if (reason !== undefined) throw new CommandRefused(`"${username}" ${reason}`)
    const [nameReason] = rest.length === 0 ? [] : displayNameReasons(name)
    if (nameReason !== undefined) throw new CommandRefused(`the display name ${nameReason}`)
    return { username, name }
  },
  async withDatabase(context, { username, name }) {
    const { db, output } = context
    if (!(await serviceOf(context)).proxySignsIn) {
      const link = await makeLink(context, { username, isNew: true, name })
      if (link === null) throw new CommandRefused(`"${username}" is taken`)
      return await output(link)
    }
    // Only a proxy signs in to an account without a password.
    const account = { username, name: name || username, passwordHash: unmatchable }
    if ((await createUser(db, account)) === null) throw new CommandRefused(`"${username}" is taken`)
    await output(`"${username}" has an account now, and your proxy signs them in.\n`)
  },
}

/** The text to send to a user. Null if the account does not exist, or if a new one exists already. */
async function makeLink(
  context: Context,
  { username, isNew, name = '' }: { username: string; isNew: boolean; name?: string },
): Promise<string | null> {
  const { baseUrl, proxySignsIn } = await serviceOf(context)
  if (proxySignsIn)
    throw new CommandRefused('people sign in at your proxy (TRUSTED_USER_HEADER): there are no passwords')
  const secret = newSecret()
  if (!(await storePasswordLink(context.db, { hash: hashSecret(secret), username, isNew }))) return null
  const query = new URLSearchParams({ link: secret, ...(name === '' ? {} : { name }) })
  return `${baseUrl}/password?${query}
Anyone who opens it within ${linkMinutes} minutes can choose the password of "${username}", once.\n`
}

/** If the service has not started yet, its settings are probably those of this command. */
async function serviceOf({ db, service }: Context): Promise<ServiceSettings> {
  return (await db.readPrimary(readSettings)) ?? service
}

export const usersCommand: Command = {
  name: 'users',
  summary: 'list the accounts, with their last use and their number of deployments',
  usage: `${program} users

One line per account, sorted by username: the number of deployments, the day of the last call by a pipeline, the day on
which its user was last seen in a session that is still open, the day of its creation, and its display name.`,
  async withDatabase({ db, tables, output }) {
    await output(tableRow(widths, ['username', 'deployments', 'last call', 'signed in', 'joined', 'name']))
    for await (const accounts of listAccounts(db, tables)) {
      const rows = accounts.map(({ username, name, deployments, calledAt, seenAt, since }) => {
        const days = [calledAt, seenAt, since].map(dateOrDash)
        return tableRow(widths, [username, String(deployments).padStart(11), ...days, name])
      })
      await output(rows.join(''))
    }
  },
}

/** The display name is last, because its width cannot be known. */
const widths = [24, 11, 10, 10, 10]

function dateOrDash(instant: Date | null): string {
  return instant === null ? '-' : dateOf(utcDayOf(instant))
}

export const signOutCommand: Command<string> = {
  name: 'sign-out',
  summary: 'end every session of an account; its password, tokens and publishers stay',
  usage: `${program} sign-out <username>\n\nFor example: ${program} sign-out ada`,
  read: onlyUsername,
  async withDatabase({ db, output }, username) {
    const { id, name } = await userNamed(db, username)
    const count = await endSessions(db, id)
    await output(
      `Ended the sessions of "${username}" (${name}): ${count}. Password, tokens and publishers stay.\n`,
    )
  },
}

const everybody = '--all'

export const endAccessCommand: Command<string | null> = {
  name: 'end-access',
  summary: 'end all access to an account, or to all, such as after a break-in; passwords stay',
  usage: `${program} end-access <username> | ${everybody} [--yes]

Ends all that works without a password, such as sessions and tokens. Passwords stay, and \`${program} password\`
makes links to new ones. For example: ${program} end-access ${everybody}`,
  read: (words) => (words.join(' ') === everybody ? null : onlyUsername(words)),
  async question({ db, tables }, username) {
    if (username !== null) await userNamed(db, username)
    return `End the sessions, ${otherAccess(tables)} of ${username === null ? 'every account' : `"${username}"`}?`
  },
  async withDatabase({ db, tables, output }, username) {
    const userId = username === null ? null : (await userNamed(db, username)).id
    const accounts = await endAccess(db, tables, userId)
    await output(`Ended the sessions, ${otherAccess(tables)} of ${accounts} accounts. Passwords stay.\n`)
  },
}

export const deleteAccountCommand: Command<string> = {
  name: 'delete-account',
  formerName: 'close',
  summary: 'permanently delete an account with all its deployments, as its owner can',
  usage: `${program} delete-account <username> [--yes]\n\nFor example: ${program} delete-account ada`,
  read: onlyUsername,
  async question({ db }, username) {
    const { id, name } = await userNamed(db, username)
    const count = await countDeployments(db, id)
    return `Permanently delete the account "${username}" (${name}) and its deployments (${count})? The username cannot be used again.`
  },
  async withDatabase({ db, tables, output }, username) {
    const { id, name } = await userNamed(db, username)
    const count = await countDeployments(db, id)
    await deleteUser(db, tables, id)
    await output(`Deleted the account "${username}" (${name}): its sessions and tokens have ended.\n`)
    await finishDeletions(db, tables)
    await output(`Deleted its deployments (${count}). The username cannot be used again.\n`)
  },
}

async function userNamed(db: Db, username: string): Promise<User> {
  const found = await findUser(db, username)
  if (found === null) throw new CommandRefused(`there is no user "${username}"`)
  return found.user
}

/** The one username that a command takes. */
function onlyUsername(words: readonly string[]): string {
  const [word, ...more] = words
  if (word === undefined || more.length > 0 || word.startsWith('-')) throw new Misused('give one username')
  const username = usernameOf(word.trim())
  if (username === null) throw new CommandRefused(`"${word.trim()}" is not a valid username`)
  return username
}
