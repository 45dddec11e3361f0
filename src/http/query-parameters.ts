import { usernameOf } from '../domain/account/user.ts'
import { timestampIn } from '../domain/announcement/instant.ts'
import { type Facet, facetNames, facetParameters, facets } from '../domain/feed/facets.ts'
import { pageLimits } from '../domain/feed/feed.ts'
import type { TimeRange } from '../domain/feed/time-range.ts'
import { type Target, targetOf } from '../domain/target.ts'
import { dayOf } from '../domain/time.ts'
import { Problem } from './problem.ts'

/** The query parameters of an address, as Elysia parses them. */
export type QueryParameters = Readonly<Record<string, string | undefined>>

/** Reads a parameter; null if it is absent or empty. Throws `bad_request` if `read` returns null. */
function readGiven<Value>(
  text: string | undefined,
  read: (text: string) => Value | null,
  advice: string,
): Value | null {
  if (text === undefined || text === '') return null
  const value = read(text)
  if (value === null) throw new Problem('bad_request', advice)
  return value
}

export function readFacet(query: QueryParameters, facet: Facet): string | null {
  const { parameter, read, advice } = facets[facet]
  return readGiven(query[parameter], read, advice.address)
}

export function readBefore({ before }: QueryParameters): number | null {
  const advice =
    'The parameter "before" is not the id of a deployment. Go back to the previous page and follow its link to older deployments.'
  return readGiven(before, deploymentIdOf, advice)
}

/** The number of a UTC day. */
export function readDay({ on }: QueryParameters): number | null {
  return readGiven(on, dayOf, 'That is not a day. Write it like 2026-11-02.')
}

export function readYear({ year }: QueryParameters): 'list' | null {
  return readWord(year, 'list', 'The parameter "year" can only be "list".') ? 'list' : null
}

/** Whether a parameter has the one value that it can have. Throws `bad_request` for any other value. */
export function readWord(text: string | undefined, word: string, advice: string): boolean {
  return readGiven(text, (given) => given === word || null, advice) ?? false
}

export function readLimit({ limit }: QueryParameters): number {
  const { default: usual, max } = pageLimits
  const read = (text: string) => {
    const asked = idOf(text)
    return asked !== null && asked <= max ? asked : null
  }
  return readGiven(limit, read, `The limit must be a whole number from 1 to ${max}.`) ?? usual
}

/** The time that `?from=` and `?to=` bound. */
export function readTimeRange(query: QueryParameters): TimeRange {
  const read = (name: 'from' | 'to') => {
    const advice = `The parameter "${name}" is not a time with its UTC offset. Write it like 2026-11-02T14:05:00Z.`
    // A plus that is not escaped arrives as a space.
    return readGiven(query[name], (text) => timestampIn(text.replace(' ', '+')), advice)
  }
  const range = { from: read('from'), to: read('to') }
  if (range.from === null || range.to === null || range.from < range.to) return range
  throw new Problem('bad_request', 'The time "from" has to be before "to".')
}

export function readTarget({ target }: QueryParameters): Target | null {
  const advice = 'That is not a target. Send a host, or a host and path such as github.com/ada/engine.'
  return target?.trim() === '' ? null : readGiven(target, targetOf, advice)
}

const ofOneUser = " A user's deployments are at /<username>, and those to one target at /<username>/<target>."

const ofLists = ' Only lists that are not live can show a time.'

/** The parameters but `?q=` that select deployments or events, some with a hint on where to use them, for a refusing message. */
const parameters: Readonly<Record<string, string>> = {
  user: ofOneUser,
  target: ofOneUser,
  ...Object.fromEntries(facetParameters.map((name) => [name, ''])),
  on: ' Only profiles and pages of targets can show one day: /<username>?on=2026-11-02.',
  year: ' Only profiles and pages of targets can show a year: /<username>?year=list.',
  from: ofLists,
  to: ofLists,
  before: '',
  after: '',
  limit: '',
}

/** What says where to search; null if nothing can be searched. */
type Advising = { readonly advice: string } | null

/** Throws `bad_request` for a parameter that only other lists take. `list` names this list, such as "The feed". */
export function refuseOthers(
  query: QueryParameters,
  list: string,
  takes: readonly string[],
  search: Advising,
): void {
  const hints: typeof parameters = { q: search?.advice ?? '', ...parameters }
  const other = Object.keys(hints).find((name) => query[name] && !takes.includes(name))
  if (other === undefined) return
  throw new Problem('bad_request', `${list} takes no "${other}"${onlyOf(takes)}.${hints[other]}`)
}

function onlyOf(takes: readonly string[]): string {
  const quoted = takes.map((name) => `"${name}"`)
  return quoted.length === 0 ? '' : `, only ${quoted.slice(0, -1).join(', ')} and ${quoted.at(-1)}`
}

/** What callers of the API take for a parameter of a list. */
const misnamed: Readonly<Record<string, string>> = {
  ...Object.fromEntries(facetNames.map((facet) => [facet, `Send "${facets[facet].parameter}".`])),
  username: 'Send "user".',
  project: 'Send "target".',
  url: 'Send "target".',
  since: 'Send "from".',
  until: 'Send "to".',
}

/**
 * The parameters that a list for programs takes, and no others, so that equal requests share a read. Refuses all other
 * names, except that of a read key: ignored, a wrong name would select everything. Nobody adds one to their links, as
 * happens to those of pages.
 */
export function readKnown(
  query: QueryParameters,
  list: string,
  takes: readonly string[],
  search: Advising,
): QueryParameters {
  refuseOthers(query, list, takes, search)
  const other = Object.keys(query).find((name) => query[name] && name !== 'key' && !takes.includes(name))
  if (other === undefined) return Object.fromEntries(takes.map((name) => [name, query[name] || undefined]))
  const advice = Object.hasOwn(misnamed, other) ? misnamed[other] : undefined
  const known = onlyOf(takes)
  throw new Problem(
    'bad_request',
    advice === undefined
      ? `${list} has a parameter that it does not take${known}.`
      : `${list} takes no "${other}". ${advice}`,
  )
}

/** The largest id in an address. A double holds its 15 digits exactly. */
export const largestId = 999_999_999_999_999

/** The id of a deployment in an address; null for anything else. Those added by POST /api/history have negative ids. */
export function deploymentIdOf(text: string): number | null {
  const id = idOf(text.replace(/^-/, ''))
  return id !== null && text.startsWith('-') ? -id : id
}

/** A positive id in an address; null for anything else, such as 1e3 or 01. */
export function idOf(text: string): number | null {
  return /^[1-9]\d*$/.test(text) && Number(text) <= largestId ? Number(text) : null
}

/** The id of an event, or 0 for the beginning of the feed; null for any other text. */
export function readEventId(text: string | null | undefined): number | null {
  return text === '0' ? 0 : idOf(text ?? '')
}

/**
 * The id of the last event that a reader of the API has; null if it wants only new ones. A reader that comes back sends
 * Last-Event-ID, which wins over `?after=`.
 */
export function readAfter({ after }: QueryParameters, lastEventId: string | null): number | null {
  const [name, text] = lastEventId ? ['Last-Event-ID', lastEventId] : ['"after"', after]
  if (!text) return null
  const id = readEventId(text)
  if (id !== null) return id
  throw new Problem(
    'bad_request',
    `${name} is not the id of an event. Send the id of the last event that you received. Send 0 for all events, or leave out ${name} for new events only.`,
  )
}

/** The username in an address; null if it is not valid. */
export function usernameIn(parameter: string | null): string | null {
  // Elysia types a parameter as a string, but it is null if its percent escapes are not UTF-8.
  return usernameOf(parameter ?? '')
}
