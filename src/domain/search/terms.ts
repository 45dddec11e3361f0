import type { Deployment } from '../deployment.ts'
import type { FeedFilter, Search } from '../feed-event.ts'
import { environmentKey } from '../release.ts'
import { everything } from '../target.ts'
import { isBeginning, wordsOf } from './words.ts'

/** What the index is asked for: the lines of a page that begin with `line`, or the one that does. */
export type Term = { readonly page: string; readonly line: string; readonly isOneLine: boolean }

/**
 * Everything by which a deployment is found, as lines of the index: words are as they are, and what is no word
 * begins with a sign that no word has.
 */
export function termsOf(deployment: Deployment, scopes: readonly string[]): string[] {
  const { poster, category, environment } = deployment
  return [
    ...wordsOf(deployment),
    ofUser(poster.id),
    ...(category === null ? [] : [ofCategory(category)]),
    ...(environment === undefined ? [] : [ofEnvironment(environmentKey(environment))]),
    ...scopes.filter((scope) => scope !== everything).map(ofScope),
  ]
}

/** What to look up for a search, what is likely to be rarest first. */
export function askedTerms({ words, userId, scope, category, environment }: Search): Term[] {
  return [
    ...(userId === null ? [] : [whole(ofUser(userId))]),
    ...words.map((word) =>
      isBeginning(word) ? { page: pageOf(word), line: word, isOneLine: false } : whole(word),
    ),
    ...(scope === null ? [] : [whole(ofScope(scope))]),
    ...(environment === null ? [] : [whole(ofEnvironment(environment))]),
    ...(category === null ? [] : [whole(ofCategory(category))]),
  ]
}

/**
 * The page on which a term stands. Words that begin alike are on one page, so that one that was asked for by
 * its beginning is found; the others are dealt out evenly.
 */
export function pageOf(term: string): string {
  const [first = '', second = ''] = term
  if (first === '@') return `@${hash(term) % 16}`
  if (first === '/') return `/${hash(term) % 64}`
  return first + second
}

const ofUser = (userId: number) => `@${userId}`
const ofScope = (scope: string) => `/${scope}`
const ofCategory = (category: NonNullable<FeedFilter['category']>) => `#${category}`
const ofEnvironment = (environment: string) => `&${environment}`

function whole(term: string): Term {
  return { page: pageOf(term), line: `${term} `, isOneLine: true }
}

function hash(text: string): number {
  let sum = 0
  for (let n = 0; n < text.length; n++) sum = (Math.imul(sum, 31) + text.charCodeAt(n)) >>> 0
  return sum
}
