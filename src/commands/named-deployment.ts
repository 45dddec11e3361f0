import { findPosted } from '../data/deployments.ts'
import type { Db } from '../database/db.ts'
import type { Deployment } from '../domain/deployment.ts'
import { headlineOf } from '../domain/message/headline.ts'
import { plainTitle } from '../domain/message/headline-pieces.ts'
import { CommandRefused, Misused } from './command.ts'

export type NamedDeployment = { readonly id: number; readonly username: string | null }

/** The one deployment that a command takes. */
export function namedIn([typed = '', ...more]: readonly string[]): NamedDeployment {
  const path = URL.parse(typed)?.pathname ?? typed
  const [, username = null, digits] = /^(?:(?:.*\/)?@?([^/]+)\/)?(-?\d{1,15})$/.exec(path) ?? []
  if (digits !== undefined && more.length === 0) {
    return { id: Number(digits), username: username?.toLowerCase() ?? null }
  }
  throw new Misused('give one deployment by its id or its page, such as 412 or ada/412')
}

/** Throws CommandRefused if it is not there. */
export async function findNamedDeployment(db: Db, named: NamedDeployment): Promise<Deployment> {
  const found = await findPosted(db, named.id)
  if (found !== null && (named.username ?? found.poster.username) === found.poster.username) return found
  throw new CommandRefused(gone(named))
}

export function gone({ id, username }: NamedDeployment): string {
  const whose = username === null ? '' : ` of "${username}"`
  return `there is no deployment ${id}${whose}: it may have been withdrawn`
}

/** The headline that pages show, by which the operator recognizes the deployment. */
export function shownTitle(message: string): string {
  const characters = [...plainTitle(headlineOf(message))]
  return characters.length > longestTitle
    ? `${characters.slice(0, longestTitle).join('')}…`
    : characters.join('')
}

const longestTitle = 100
