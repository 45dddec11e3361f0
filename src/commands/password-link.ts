import type { Config } from '../config.ts'
import { leaveLink } from '../data/account/left-links.ts'
import { linkMinutes, type PasswordLink, storePasswordLink } from '../data/account/password-links.ts'
import { hashSecret, newSecret } from '../data/account/secret.ts'
import { openDatabase } from '../database/open.ts'
import { usernameOf, usernameReasons } from '../domain/account/username.ts'

/** A command with a mistake in it. The message is one line that says what to do. */
export class CommandRefused extends Error {}

/**
 * Prints a link, good once and for an hour, at which somebody chooses the password of their account, or with
 * `isNew` of a new one. Works while the service runs.
 */
export async function passwordLink(
  config: Config,
  typed: string | undefined,
  { isNew }: { isNew: boolean },
): Promise<void> {
  const username = usernameOf((typed ?? '').trim())
  if (username === null) {
    throw new CommandRefused(`say for whom: npm start -- ${isNew ? 'account' : 'password'} <username>`)
  }
  const [reason] = isNew ? usernameReasons(username) : []
  if (reason !== undefined) throw new CommandRefused(`"${username}" ${reason}`)

  const secret = newSecret()
  const link = { hash: hashSecret(secret), username, isNew }
  if (config.databaseUrl === null) await leave(config, link)
  else await store(config, link)
  console.log(`${config.baseUrl}/password?link=${secret}`)
  console.log(`Whoever opens it within ${linkMinutes} minutes chooses the password of "${username}", once.`)
}

async function leave({ dataDir }: Config, link: PasswordLink): Promise<void> {
  if (!(await Bun.file(`${dataDir}/postgres/PG_VERSION`).exists())) {
    throw new CommandRefused(`there is no database in "${dataDir}": set the DATA_DIR of the service`)
  }
  await leaveLink(dataDir, link)
}

async function store(config: Config, link: PasswordLink): Promise<void> {
  const db = await openDatabase(config, console.error)
  try {
    await db.migrated
    if (await storePasswordLink(db, link)) return
    const { username, isNew } = link
    throw new CommandRefused(isNew ? `"${username}" is taken` : `there is no user "${username}"`)
  } finally {
    await db.close()
  }
}
