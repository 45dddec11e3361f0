import { usernameOf } from '../domain/account/username.ts'
import { type Category, categories, isCategory } from '../domain/category.ts'
import { environmentKey, environmentRule, isEnvironment } from '../domain/release.ts'
import { type Question, questionOf } from '../domain/search/question.ts'
import { type Target, targetOf } from '../domain/target.ts'
import { dayOf } from '../domain/time.ts'
import { Problem } from './problem.ts'

type Query = Readonly<Record<string, string | undefined>>

/** `?category=`: one of the four, or null if absent or empty. */
export function readCategory({ category }: Query): Category | null {
  if (category === undefined || category === '') return null
  if (isCategory(category)) return category
  throw new Problem(
    'bad_request',
    `There is no such category. The categories are ${Object.keys(categories).join(', ')}.`,
  )
}

/** `?before=`: the id to page before, or null for the newest page: absent or empty. */
export function readBefore({ before }: Query): number | null {
  if (before === undefined || before === '') return null
  const id = idOf(before)
  if (id !== null) return id
  throw new Problem(
    'bad_request',
    'The page to show is not a number. Follow the link "Older deployments" instead.',
  )
}

/** `?on=`: a day in UTC by its number, such as 2026-11-02; null if absent or empty. */
export function readDay({ on }: Query): number | null {
  if (on === undefined || on === '') return null
  const instant = new Date(on)
  if (/^\d{4}-\d\d-\d\d$/.test(on) && instant.toJSON()?.startsWith(on)) return dayOf(instant)
  throw new Problem('bad_request', 'There is no such day. Give one as 2026-11-02.')
}

/** How many deployments a page of the API holds. */
export const limits = { usual: 25, most: 100 } as const

/** `?limit=`: how many a page holds, from 1 to 100; 25 if absent or empty. */
export function readLimit({ limit }: Query): number {
  if (limit === undefined || limit === '') return limits.usual
  const asked = idOf(limit)
  if (asked !== null && asked <= limits.most) return asked
  throw new Problem('bad_request', `The limit is a whole number from 1 to ${limits.most}.`)
}

/** `?target=`: a host, or a host and path; null if absent or empty. */
export function readTarget({ target }: Query): Target | null {
  if (target === undefined || target.trim() === '') return null
  const found = targetOf(target)
  if (found !== null) return found
  throw new Problem(
    'bad_request',
    'That is no target. Give a host, or a host and path such as github.com/ada/engine.',
  )
}

/** `?env=`: an environment as it is compared; null if absent or empty. */
export function readEnvironment({ env }: Query): string | null {
  if (env === undefined || env === '') return null
  if (isEnvironment(env)) return environmentKey(env)
  throw new Problem('bad_request', `That is no environment. It has ${environmentRule}.`)
}

/** `?q=`: what is searched for; null if absent or empty. */
export function readQuestion({ q }: Query): Question | null {
  const read = questionOf(q ?? '')
  if (read.ok) return read.question
  throw new Problem('bad_request', read.reason)
}

/**
 * Refuses a filter that other lists have and the feed has not, which it would otherwise ignore without a
 * word.
 */
export function refuseOtherFilters(query: Query): void {
  const asked = ['target', 'user'].find((name) => query[name] !== undefined)
  if (asked === undefined) return
  throw new Problem(
    'bad_request',
    `The feed cannot be filtered by "${asked}", only by "category" or "env", and searched with "q". One user's deployments ` +
      'are at /<username>, and those to one target at /<username>/<target>.',
  )
}

/** An id as an address spells it, or null: 1e3, 01 and numbers beyond a double are no ids. */
export function idOf(text: string): number | null {
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null
}

/** The id of the last event that a reader has seen, 0 for none; null if it does not say. */
export function readPosition(text: string | null | undefined): number | null {
  return text === '0' ? 0 : idOf(text ?? '')
}

/** The username in an address, or null if it is not spelled like one. */
export function usernameIn(parameter: string | null): string | null {
  // Elysia's parameter is null, whatever its type says, when its percent escapes are not UTF-8.
  return usernameOf(parameter ?? '')
}

/** Whether htmx asks for an older page, to put its list below the one on the page. */
export function isOlderPart(request: Request): boolean {
  return request.headers.has('hx-request')
}
