import type { Category } from '../../domain/category.ts'
import type { Deployment } from '../../domain/deployment.ts'
import { type Facets, facetNames } from '../../domain/feed/facets.ts'
import { batchSize } from '../../domain/feed/id-batch.ts'
import { everything } from '../../domain/target.ts'
import type { WordSearch } from './search.ts'
import { isBeginning, wordsIn, wordsOf } from './words.ts'

/** A lookup in the index: the lines of a page that begin with `line`. `isOneLine`: at most one line can match. */
export type Term = { readonly page: string; readonly line: string; readonly isOneLine: boolean }

/** The terms of a deployment: its words as they are, and others with a first character that no word contains. */
export function termsOf(deployment: Deployment, scopes: readonly string[]): string[] {
  const { poster, category } = deployment
  return [
    ...wordsOf(deployment),
    ofUser(poster.id),
    ...(category === null ? [] : [ofCategory(category)]),
    ...scopes.filter((scope) => scope !== everything).map(ofScope),
  ]
}

/**
 * The lookups of a search, of which the first is probably the rarest. They find more than the search does: the index
 * has neither the order nor the field of words, and excluded words are not looked up.
 */
export function askedTerms({ words, phrases, userId, scope, by }: WordSearch): Term[] {
  return [
    ...(userId === null ? [] : [whole(ofUser(userId))]),
    ...[...new Set(phrases.flat())].map(whole),
    ...words.map((word) =>
      isBeginning(word) ? { page: pageOfTerm(word), line: word, isOneLine: false } : whole(word),
    ),
    ...(scope === null ? [] : [whole(ofScope(scope))]),
    ...wordsInFacets(by).map(whole),
    ...(by.category === undefined ? [] : [whole(ofCategory(by.category))]),
  ]
}

/** Whether every deployment with all terms of a search belongs to it. */
export function isExact({ phrases, without, by }: WordSearch): boolean {
  const isOfWords = searchedAsWords.some((facet) => by[facet] !== undefined)
  return [...phrases, ...without.words, ...without.phrases].length === 0 && !isOfWords
}

/** A category is no word of a deployment, and has a term of its own. */
const searchedAsWords = facetNames.filter((facet) => facet !== 'category')

/** The words of facets that the words of their deployments include. */
export function wordsInFacets(by: Facets): readonly string[] {
  return searchedAsWords.flatMap((facet) => wordsIn(by[facet] ?? '').map(({ word }) => word))
}

/** Words with the same first two characters share a page, for searches by prefix; other terms are spread evenly. */
function pageOfTerm(term: string): string {
  const [first = '', second = ''] = term
  if (first === '@') return `@${hash(term) % 16}`
  if (first === '/') return `/${hash(term) % 64}`
  return first + second
}

const ofUser = (userId: number) => `@${userId}`
const ofScope = (scope: string) => `/${scope}`
const ofCategory = (category: Category) => `#${category}`

function whole(term: string): Term {
  return { page: pageOfTerm(term), line: `${term} `, isOneLine: true }
}

function hash(text: string): number {
  let sum = 0
  for (let n = 0; n < text.length; n++) sum = (Math.imul(sum, 31) + text.charCodeAt(n)) >>> 0
  return sum
}

/**
 * The index of a batch of deployments is a set of pages of text. A page has a line for each of its terms, which begins
 * with a line break: the term, a space, and its postings, the places of the deployments in the batch that have it.
 * Postings are two digits for each place, or a bitmap of six places a digit if that is shorter.
 */
const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

const valueOfDigit = new Uint8Array(128)
for (const [value, digit] of Array.from(digits).entries()) valueOfDigit[digit.charCodeAt(0)] = value

/** Two digits can express each place in a batch. */
const bitmapLength = Math.ceil(batchSize / 6)

/** The places of each term of a batch, by its page: two digits for each place. */
export type Postings = Map<string, Map<string, string>>

/** Adds the terms of a deployment, whose place must be behind those added before. */
export function addTerms(postings: Postings, terms: readonly string[], place: number): void {
  const added = `${digits[place >> 6]}${digits[place & 63]}`
  for (const term of terms) {
    const page = pageOfTerm(term)
    const places = postings.get(page) ?? new Map<string, string>()
    postings.set(page, places.set(term, (places.get(term) ?? '') + added))
  }
}

export function pageLine(term: string, places: string): string {
  if (places.length < bitmapLength) return `\n${term} ${places}`
  const bits = new Uint8Array(bitmapLength)
  addPlaces(bits, places, 0, places.length)
  return `\n${term} ${Array.from(bits, (each) => digits[each]).join('')}`
}

/** The places in a batch that have all terms, the last place first. Takes the page of each term. */
export function placesWithAll(terms: readonly Term[], pages: readonly string[]): number[] {
  const all = new Uint8Array(bitmapLength).fill(63)
  for (const [n, { line }] of terms.entries()) {
    const having = bitmapOf(pages[n] ?? '', line)
    for (let at = 0; at < bitmapLength; at++) all[at] = (all[at] ?? 0) & (having[at] ?? 0)
  }
  const found: number[] = []
  for (let at = bitmapLength - 1; at >= 0; at--) {
    for (let bit = 5; all[at] !== 0 && bit >= 0; bit--) {
      if ((((all[at] ?? 0) >> bit) & 1) === 1) found.push(at * 6 + bit)
    }
  }
  return found
}

/** The places that have any term whose line begins with `line`, as a bitmap of six places a number. */
function bitmapOf(page: string, line: string): Uint8Array {
  const bits = new Uint8Array(bitmapLength)
  const start = `\n${line}`
  for (let at = page.indexOf(start); at >= 0; at = page.indexOf(start, at + 1)) {
    const end = page.indexOf('\n', at + 1)
    addTo(bits, page, page.indexOf(' ', at) + 1, end < 0 ? page.length : end)
  }
  return bits
}

function addTo(bits: Uint8Array, page: string, from: number, to: number): void {
  if (to - from !== bitmapLength) addPlaces(bits, page, from, to)
  else for (let n = 0; n < bitmapLength; n++) bits[n] = (bits[n] ?? 0) | valueAt(page, from + n)
}

function addPlaces(bits: Uint8Array, page: string, from: number, to: number): void {
  for (let at = from; at < to; at += 2) setBit(bits, valueAt(page, at) * 64 + valueAt(page, at + 1))
}

function valueAt(page: string, at: number): number {
  return valueOfDigit[page.charCodeAt(at)] ?? 0
}

function setBit(bits: Uint8Array, place: number): void {
  const n = Math.floor(place / 6)
  bits[n] = (bits[n] ?? 0) | (1 << (place % 6))
}

/**
 * A search reads the index in rounds of one statement each. Others need the connection too, so the duration
 * of each round decides the size of the next. There are few rounds, because a database may be 200 ms away.
 */
export const firstRound = 8
export const maxRounds = 4

/** A round stops after this many candidate batches, because the previous round does not tell how many there are. */
export const maxFound = 256

export const aimedMs = 25
const maxGrowth = 16
const smallest = 4

/** The number of batches of the next round, from that of the last one and the milliseconds that it took. */
export function nextRound(batches: number, tookMs: number): number {
  const growth = Math.min(maxGrowth, aimedMs / Math.max(tookMs, 0.001))
  return Math.max(smallest, Math.floor(batches * growth))
}
