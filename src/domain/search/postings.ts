import type { Term } from './terms.ts'
import { pageOf } from './terms.ts'

/**
 * The index of a batch of deployments is a set of pages of text. A page has a line for each of its terms, which
 * begins with a line break: the term, a space, and its postings, which say which deployments of the batch have
 * it. Postings are two digits for each place in the batch, or six places a digit where that is shorter.
 */
const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/** By the code of the character. */
const valueOfDigit = new Uint8Array(128)
for (const [value, digit] of Array.from(digits).entries()) valueOfDigit[digit.charCodeAt(0)] = value

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

/** Which places have any of the terms whose lines begin so, six a number. */
function bitmapOf(page: string, line: string): Uint8Array {
  const bits = new Uint8Array(bitmapLength)
  const start = `\n${line}`
  for (let at = page.indexOf(start); at >= 0; at = page.indexOf(start, at + 1)) {
    const end = page.indexOf('\n', at + 1)
    addTo(bits, page, page.indexOf(' ', at) + 1, end < 0 ? page.length : end)
  }
  return bits
}

/** Adds the postings that stand there. */
function addTo(bits: Uint8Array, page: string, from: number, to: number): void {
  const value = (at: number) => valueOfDigit[page.charCodeAt(at)] ?? 0
  if (to - from === bitmapLength) {
    for (let n = 0; n < bitmapLength; n++) bits[n] = (bits[n] ?? 0) | value(from + n)
    return
  }
  for (let at = from; at < to; at += 2) {
    const place = value(at) * 64 + value(at + 1)
    const n = Math.floor(place / 6)
    bits[n] = (bits[n] ?? 0) | (1 << (place % 6))
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
