import type { Deployment } from '../deployment.ts'
import { surplusMarks, withoutSurplusMarks } from '../text.ts'

/** A word in the form for comparison, and its place in a text. */
export type Word = { readonly word: string; readonly start: number; readonly end: number }

/** Longer words are cut to this length, which is enough for the first digits of a commit and any word of a language. */
const longest = 24
/** Shortest prefix that finds longer words. Numbers need seven digits: only then may they be a commit. */
const shortestBeginning = { word: 3, number: 7 } as const

// A number with dots is one word, with or without `v`. In scripts without spaces, each character is a word.
const pattern =
  /v?\d+(?:\.\d+)+|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]|[[\p{L}\p{N}\p{M}]--[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]]+/giv

/** The same for ASCII, in a fifth of the time. Most texts are ASCII. */
const asciiPattern = /v?\d+(?:\.\d+)+|[a-z\d]+/gi
const ascii = /^[\0-\x7f]*$/

/** The words of a text in their order (docs/decisions.md#search), without case and accents and cut to 24 characters. */
export function wordsIn(text: string): Word[] {
  if (ascii.test(text)) return matched(text, asciiPattern)
  const compared = withoutSurplusMarks(text)
  const words = matched(compared, pattern)
  return compared.length === text.length ? words : placedIn(text, words)
}

function matched(text: string, pattern: RegExp): Word[] {
  return Array.from(text.matchAll(pattern), ({ 0: found, index }) => ({
    word: folded(found),
    start: index,
    end: index + found.length,
  })).filter(({ word }) => word !== '')
}

/** Converts the places of words in a text without surplus marks to their places in the text itself. */
function placedIn(text: string, words: readonly Word[]): Word[] {
  const runs = surplusMarks(text)
  let next = 0
  let leftOut = 0
  const placeOf = (at: number) => {
    for (let run = runs[next]; run !== undefined && run.index - leftOut <= at; run = runs[next]) {
      leftOut += run.length
      next += 1
    }
    return at + leftOut
  }
  return words.map(({ word, start, end }) => ({ word, start: placeOf(start), end: placeOf(end) }))
}

/** The distinct words of a deployment: of its message, its link after the host, its environment, version and commit. */
export function wordsOf({ message, url, environment, version, commit }: Deployment): Set<string> {
  const path = url?.replace(/^[^/]*\/\/[^/]*/, '')
  const texts = [message, path, environment, version, commit].filter((text) => text !== undefined)
  return new Set(texts.flatMap(wordsIn).map(({ word }) => word))
}

/** Whether a searched word finds a word: the same word, or one that begins with it. */
export function finds(asked: string, word: string): boolean {
  return isBeginning(asked) ? word.startsWith(asked) : word === asked
}

/** Whether a searched word also finds longer words. */
export function isBeginning(asked: string): boolean {
  return asked.length >= (/^\d+$/.test(asked) ? shortestBeginning.number : shortestBeginning.word)
}

/** The words of deployments, each of which is compared with every open search. */
const known = new WeakMap<Deployment, readonly string[]>()

/** Whether each searched word finds a word of a deployment. */
export function hasWords(asked: readonly string[], deployment: Deployment): boolean {
  if (asked.length === 0) return true
  let words = known.get(deployment)
  if (words === undefined) {
    words = [...wordsOf(deployment)]
    known.set(deployment, words)
  }
  return asked.every((each) => words.some((word) => finds(each, word)))
}

function folded(found: string): string {
  const word = ascii.test(found) ? found.toLowerCase() : plain(found)
  return word
    .replace(/^v(?=\d+\.)/, '')
    .slice(0, longest)
    .toWellFormed()
}

function plain(found: string): string {
  const unaccented = found
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
  return unaccented.toLowerCase().replaceAll('ς', 'σ')
}
