import type { Deployment } from '../deployment.ts'

/** A word as it is compared, and where in a text it stands. */
export type Word = { readonly word: string; readonly start: number; readonly end: number }

/** Longer words are compared by their beginning: enough for a commit's first digits and any word of a language. */
const longest = 24
/** What is asked for finds longer words too, from so many characters on; a number only if it may be a commit. */
const shortestBeginning = { word: 3, number: 7 } as const

// A number with dots is one word, `v` or not. These scripts set no space between words: each character is one.
const pattern =
  /v?\d+(?:\.\d+)+|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]|[[\p{L}\p{N}\p{M}]--[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]]+/giv

/** The same for ASCII alone, in a fifth of the time: most texts are. */
const asciiPattern = /v?\d+(?:\.\d+)+|[a-z\d]+/gi
const ascii = /^[\0-\x7f]*$/

/** The words of a text in their order (docs/decisions.md#search): without case and accents, and cut at 24. */
export function wordsIn(text: string): Word[] {
  return [...text.matchAll(ascii.test(text) ? asciiPattern : pattern)]
    .map(({ 0: found, index }) => ({ word: folded(found), start: index, end: index + found.length }))
    .filter(({ word }) => word !== '')
}

/**
 * The different words by which a deployment is found: of its message, of its link beyond the host, of its
 * environment, version and commit.
 */
export function wordsOf({ message, url, environment, version, commit }: Deployment): Set<string> {
  const path = url?.replace(/^[^/]*\/\/[^/]*/, '')
  const texts = [message, path, environment, version, commit].filter((text) => text !== undefined)
  return new Set(texts.flatMap(wordsIn).map(({ word }) => word))
}

/** Whether what is asked for finds a word: the same, or one that begins with it. */
export function finds(asked: string, word: string): boolean {
  return isBeginning(asked) ? word.startsWith(asked) : word === asked
}

/** Whether a word that is asked for finds longer ones, too. */
export function isBeginning(asked: string): boolean {
  return asked.length >= (/^\d+$/.test(asked) ? shortestBeginning.number : shortestBeginning.word)
}

/** Whether each of the words that are asked for finds one of a deployment's. */
export function hasWords(asked: readonly string[], deployment: Deployment): boolean {
  if (asked.length === 0) return true
  const words = [...wordsOf(deployment)]
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
