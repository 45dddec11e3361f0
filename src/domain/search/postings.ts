import type { Term } from './terms.ts'
import { pageOf } from './terms.ts'

/**
 * The index of a batch of deployments is a set of pages of text. A page has a line for each of its terms, which
 * begins with a line break: the term, a space, and its postings, which say which deployments of the batch have
 * it. Postings are two digits for each place in the batch, or six places a digit where that is shorter.
 */
const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/** So many ids are indexed together. Two digits can count them. */
export const batchSize = 2_048

const bitmapLength = Math.ceil(batchSize / 6)

/** Which deployments of a batch have each term, as pages; places are given in ascending order. */
export function pagesOf(places: ReadonlyMap<string, readonly number[]>): Map<string, string> {
  const pages = new Map<string, string>()
  for (const [term, having] of places) {
    const page = pageOf(term)
    pages.set(page, `${pages.get(page) ?? ''}\n${term} ${written(having)}`)
  }
  return pages
}

/** The places in a batch that have all terms, the last first, of which each text is the page of one. */
export function placesWithAll(terms: readonly Term[], pages: readonly string[]): number[] {
  const counts = new Uint8Array(batchSize)
  for (const [n, { line }] of terms.entries()) {
    for (const place of placesOn(pages[n] ?? '', line)) if (counts[place] === n) counts[place] = n + 1
  }
  const found: number[] = []
  for (let place = batchSize - 1; place >= 0; place--) if (counts[place] === terms.length) found.push(place)
  return found
}

function* placesOn(page: string, line: string): Generator<number> {
  const start = `\n${line}`
  for (let at = page.indexOf(start); at >= 0; at = page.indexOf(start, at + 1)) {
    const end = page.indexOf('\n', at + 1)
    yield* read(page.slice(page.indexOf(' ', at) + 1, end < 0 ? undefined : end))
  }
}

function written(places: readonly number[]): string {
  if (places.length * 2 < bitmapLength) {
    return places.map((place) => `${digits[place >> 6]}${digits[place & 63]}`).join('')
  }
  const bits = new Uint8Array(bitmapLength)
  for (const place of places)
    bits[Math.floor(place / 6)] = (bits[Math.floor(place / 6)] ?? 0) | (1 << (place % 6))
  return Array.from(bits, (each) => digits[each]).join('')
}

function* read(postings: string): Generator<number> {
  const values = Array.from(postings, (digit) => digits.indexOf(digit))
  if (values.length < bitmapLength) {
    for (let n = 0; n < values.length; n += 2) yield (values[n] ?? 0) * 64 + (values[n + 1] ?? 0)
    return
  }
  for (const [n, bits] of values.entries()) {
    for (let bit = 0; bit < 6; bit++) if (((bits >> bit) & 1) === 1) yield n * 6 + bit
  }
}
