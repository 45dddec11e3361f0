import type { Deployment } from '../deployment.ts'
import { environmentKey } from '../environment/environment.ts'
import {
  allValid,
  type Field,
  fieldOf,
  invalid,
  isKeyOf,
  oneLineProblems,
  type ParsedForm,
  valid,
} from '../field-parsing.ts'
import { parseEnvironments, parseTargets, type Restriction } from '../restriction.ts'
import { nameInScope, scopesOf, targetOfDeployment } from '../target.ts'
import { dateOf, dayOf } from '../time.ts'

/** Each with the name that pages show, and what a message says that a token may. */
export const tokenRights = {
  announce: { label: 'Announce deployments', verb: 'announce' },
  history: { label: 'Add and remove history', verb: 'send history' },
  withdraw: { label: 'Withdraw deployments', verb: 'withdraw' },
  read: { label: 'Read what members see', verb: 'read' },
} as const

export type TokenRight = keyof typeof tokenRights
export const isTokenRight = isKeyOf(tokenRights)

const rights = Object.keys(tokenRights) as TokenRight[]

/** The reasons to refuse the name of a token, empty if it is valid: the rules of a display name, but shorter. */
export function tokenNameReasons(text: string): readonly string[] {
  return oneLineProblems(text, 'tokenName')
}

export type Token = Restriction & {
  /** Null for a token of a publisher. */
  readonly name: string | null
  readonly may: readonly TokenRight[]
}

/** The part of a deployment that the bounds of a token restrict: its scopes and its environment. */
type Bounded = { readonly scopes: readonly string[]; readonly environment?: string | null | undefined }

/** This part of a deployment, or of an announcement of one. */
export function boundedOf(announced: Pick<Deployment, 'url' | 'project' | 'environment'>): Bounded {
  return { scopes: scopesOf(targetOfDeployment(announced)), environment: announced.environment }
}

/** For every token of a publisher. The columns of its row are ignored. */
const ofPublisher: Token = { name: null, may: ['announce'], targets: [], environments: [] }

/** A token with the rights of its row, or with those of a publisher. */
export function tokenOf(stored: Token): Token {
  return stored.name === null ? ofPublisher : stored
}

/** The message for a token without this right; null if it has it. */
export function rightRefusal(token: Token, right: TokenRight): string | null {
  if (token.may.includes(right)) return null
  return `${allowanceOf(token)} Use a token that may ${tokenRights[right].verb}.`
}

/**
 * The message for a call that its token does not allow; null if it does. `what` is null for a call about all
 * deployments of the owner. For announcements, may_announce.sql has the same rules.
 */
export function tokenRefusal(token: Token, right: TokenRight, what: Bounded | null): string | null {
  const { targets, environments } = token
  const lacking =
    targets.length > 0 && !targets.some((target) => what?.scopes.includes(target))
      ? whatToSend(targets, what ?? { scopes: [] })
      : environments.length > 0 && !environments.includes(environmentKey(what?.environment ?? ''))
        ? `Send ${environments.length === 1 ? 'this environment' : 'one of these environments'}.`
        : null
  const refusal = rightRefusal(token, right)
  if (refusal !== null || lacking === null) return refusal
  if (what === null) return `${allowanceOf(token)} This call would affect all of your deployments.`
  return `${allowanceOf(token)} ${right === 'withdraw' ? 'This deployment is outside of these bounds.' : lacking}`
}

/** How to announce one of these targets. The link of an announcement that names its project does not count. */
function whatToSend(targets: readonly string[], { scopes }: Pick<Bounded, 'scopes'>): string {
  const [name] = targets.map(nameInScope).filter((named) => named !== null)
  const isOfLinks = targets.some((target) => nameInScope(target) === null)
  const alone = scopes.some((scope) => nameInScope(scope) !== null) ? ' without "project"' : ''
  const ways = [
    ...(isOfLinks ? [`a link to ${targets.length === 1 ? 'it' : 'one of these'}${alone}`] : []),
    ...(name === undefined ? [] : [`"project": "${name}"`]),
  ]
  return `Send ${ways.join(', or ')}.`
}

/** "This token (engine) may announce only for github.com/ada/engine, to production." */
function allowanceOf({ name, may: rights, targets, environments }: Token): string {
  if (name === null) return 'A token of a publisher can only announce.'
  const allowed = rights.map((right) => tokenRights[right].verb).join(' and ')
  const bounds = [
    ...(targets.length === 0 ? [] : [`for ${someOf(targets)}`]),
    ...(environments.length === 0 ? [] : [`to ${someOf(environments)}`]),
  ]
  const may = bounds.length === 0 ? `only ${allowed}` : `${allowed} only ${bounds.join(', ')}`
  return `This token (${name}) may ${may}.`
}

const maxListed = 5

function someOf(names: readonly string[]): string {
  const more = names.length - maxListed
  return [...names.slice(0, maxListed), ...(more > 0 ? [`${more} more`] : [])].join(' or ')
}

/** A right is ticked if not empty; `ends` is the last day, or empty. */
export const tokenFields = ['name', 'ends', 'targets', 'environments', ...rights] as const

type TokenValues = Readonly<Record<(typeof tokenFields)[number], string>>

export type NewToken = Restriction & {
  readonly name: string
  readonly may: readonly TokenRight[]
  /** As 2026-11-02, in UTC; null for no end. */
  readonly endsOn: string | null
}

/** Reads a new token from a form. `today` is the number of the present UTC day. */
export function parseToken(typed: TokenValues, today: number): ParsedForm<NewToken> {
  const may = rights.filter((right) => typed[right] !== '')
  const name = typed.name.trim()
  const read = allValid({
    name: fieldOf(name, tokenNameReasons(name)),
    targets: parseTargets(typed.targets),
    environments: parseEnvironments(typed.environments),
    ends: parseLastDay(typed.ends, today),
    // The last, because a form focuses the first field that was refused, and this one is several.
    may: may.length > 0 ? valid(may) : invalid('must be at least one of these'),
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
  return day < today ? invalid(`must not be in the past: today is ${dateOf(today)} (UTC)`) : valid(text)
}
