import { allValid, type Field, fieldOf, invalid, type Reasons, valid } from '../body.ts'
import { oneLineProblems } from '../text.ts'
import { dateOf, dayOf } from '../time.ts'
import { type Bounds, parseEnvironments, parseTargets } from './bounds.ts'

/** What tokens may do, as pages name it. */
export const tokenRights = {
  announce: 'Announce deployments',
  history: 'Add and remove history',
  withdraw: 'Withdraw deployments',
  read: 'Read, if only members may read here',
} as const

export type TokenRight = keyof typeof tokenRights

const rights = Object.keys(tokenRights) as TokenRight[]

/** Whether a text is one of these. */
export function isTokenRight(text: unknown): text is TokenRight {
  return typeof text === 'string' && Object.hasOwn(tokenRights, text)
}

const maxTokenNameCharacters = 40

/** The reasons to refuse the name of a token, empty if it is valid: as for a display name, but shorter. */
export function tokenNameReasons(text: string): string[] {
  return oneLineProblems(text, maxTokenNameCharacters)
}

/** A new token in a form: a right is ticked if not empty, and `ends` is its last day, or empty for no end. */
export const tokenFields = ['name', 'ends', 'targets', 'environments', ...rights] as const

export type TokenValues = Readonly<Record<(typeof tokenFields)[number], string>>

export type NewToken = Bounds & {
  readonly name: string
  readonly may: readonly TokenRight[]
  /** The last UTC day on which it works, as 2026-11-02; null for no end. */
  readonly endsOn: string | null
}

/** Reads a new token from a form. `today` is the number of the present UTC day. */
export function parseToken(
  typed: TokenValues,
  today: number,
):
  | { readonly outcome: 'valid'; readonly values: NewToken }
  | { readonly outcome: 'invalid'; readonly reasons: Reasons } {
  const may = rights.filter((right) => typed[right] !== '')
  const name = typed.name.trim()
  const read = allValid({
    name: fieldOf(name, tokenNameReasons(name)),
    may: may.length > 0 ? valid(may) : invalid('must be at least one of these'),
    targets: parseTargets(typed.targets),
    environments: parseEnvironments(typed.environments),
    ends: parseLastDay(typed.ends, today),
  })
  if (read.outcome === 'invalid') return read
  const { ends: endsOn, ...values } = read.values
  return { outcome: 'valid', values: { ...values, endsOn } }
}

/** Reads the last day of a token, null if it is empty. `today` is the number of the present UTC day. */
export function parseLastDay(text: string, today: number): Field<string | null> {
  if (text === '') return valid(null)
  const day = dayOf(text)
  if (day === null) return invalid(`must be a day, such as ${dateOf(today)}, or empty`)
  return day < today ? invalid(`must not be over: today is ${dateOf(today)} (UTC)`) : valid(text)
}
