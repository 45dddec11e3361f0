import { findPosted, withdrawDeployment } from '../data/deployments.ts'
import type { Db } from '../database/db.ts'
import type { Deployment } from '../domain/deployment.ts'
import { headlineOf } from '../domain/headline.ts'
import { timestampOf } from '../domain/time.ts'
import { type Command, CommandRefused, program } from './command.ts'

/** `withdraw ada/412`: withdraws a deployment, as its poster can. */
export const withdrawCommand: Command = {
  name: 'withdraw',
  formerName: 'hide',
  summary: 'permanently delete a deployment, as its poster can',
  usage: `${program} withdraw <id, username/id, or the address of its page> [--yes]

For example: ${program} withdraw ada/412`,
  prepare(words) {
    const named = namedIn(words, withdrawCommand)
    return {
      async question(db) {
        const { id, poster, message } = await findNamedDeployment(db, named)
        return `Permanently delete deployment ${id} of "${poster.username}" (${poster.name}), “${shownTitle(message)}”?`
      },
      async withDatabase({ db, output }) {
        const { id, poster, message, deployedAt } = await findNamedDeployment(db, named)
        if (!(await withdrawDeployment(db, { userId: poster.id, id }))) throw new CommandRefused(gone(named))
        await output(`Deleted deployment ${id} of "${poster.username}" (${poster.name}), announced at ${timestampOf(deployedAt)}:
${shownTitle(message)}\n`)
      },
    }
  },
}

/** A deployment as the operator names it: by its id, and perhaps by its poster. */
type Named = { readonly id: number; readonly username: string | null }

/** Reads the one deployment that a command takes. Throws CommandRefused. */
export function namedIn([typed = '', ...more]: readonly string[], { usage }: Pick<Command, 'usage'>): Named {
  const path = URL.parse(typed)?.pathname ?? typed
  const [, username = null, digits] = /^(?:(?:.*\/)?@?([^/]+)\/)?(-?\d{1,15})$/.exec(path) ?? []
  if (digits !== undefined && more.length === 0) {
    return { id: Number(digits), username: username?.toLowerCase() ?? null }
  }
  throw new CommandRefused(
    `give one deployment by its id or its page, such as 412 or ada/412. Usage: ${usage}`,
  )
}

/** The deployment that the operator named. Throws CommandRefused if it is not there. */
export async function findNamedDeployment(db: Db, named: Named): Promise<Deployment> {
  const found = await findPosted(db, named.id)
  if (found !== null && (named.username ?? found.poster.username) === found.poster.username) return found
  throw new CommandRefused(gone(named))
}

function gone({ id, username }: Named): string {
  const whose = username === null ? '' : ` of "${username}"`
  return `there is no deployment ${id}${whose}: it may have been withdrawn`
}

/** The headline that pages show, by which the operator recognises the deployment. */
export function shownTitle(message: string): string {
  const { prefix, subject, suffix } = headlineOf(message)
  const characters = [...`${prefix}${subject}${suffix}`]
  return characters.length > longestTitle
    ? `${characters.slice(0, longestTitle).join('')}…`
    : characters.join('')
}

const longestTitle = 100
