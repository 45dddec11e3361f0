import type { Deployment } from '../../domain/deployment.ts'
import { surplusMarks, withoutSurplusMarks } from '../../domain/field-parsing.ts'
import { releaseFields } from '../../domain/release/release.ts'

/** A word in the form for comparison, and its place in a text. */
type Word = { readonly word: string; readonly start: number; readonly end: number }

/** The words that a search looks for, in that form: words anywhere in a text, and words that follow each other. */
export type Wording = {
  readonly words: readonly string[]
  readonly phrases: readonly (readonly string[])[]
}

/** The distinct words of a wording, those of its phrases among them. */
export function allWords({ words, phrases }: Wording): readonly string[] {
  return [...new Set([...words, ...phrases.flat()])]
}

/** Longer words are cut to this length, which is enough for the first digits of a commit and any word of a language. */
const longest = 24
/** Shortest prefix that finds longer words. Numbers need seven digits: only then may they be a commit. */
const shortestBeginning = { word: 3, number: 7 } as const

/** In scripts without spaces, each character is a word. */
const unspaced = ['Han', 'Hiragana', 'Katakana', 'Thai', 'Lao', 'Khmer', 'Myanmar']
  .map((script) => `\\p{Script=${script}}`)
  .join('')
const letters = String.raw`\p{L}\p{N}\p{M}`

/** A number with dots is one word, with or without `v`. */
const pattern = new RegExp(String.raw`v?\d+(?:\.\d+)+|[${unspaced}]|[[${letters}]--[${unspaced}]]+`, 'giv')

/** The same in a fifth of the time, for texts whose words are all ASCII. */
const asciiPattern = /v?\d+(?:\.\d+)+|[a-z\d]+/gi
const ascii = /^[\0-\x7f]*$/
const otherLetter = new RegExp(String.raw`(?!\p{ASCII})[${letters}${unspaced}]`, 'u')

/** The words of a text in their order, without case and accents and cut to 24 characters. */
export function wordsIn(text: string): Word[] {
  if (isInAscii(text)) return matched(text, asciiPattern)
  const compared = withoutSurplusMarks(text)
  const words = matched(compared, pattern)
  return compared.length === text.length ? words : placedIn(text, words)
}

function isInAscii(text: string): boolean {
  return ascii.test(text) || !otherLetter.test(text)
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

export function wordsOf(deployment: Deployment): Set<string> {
  return new Set(textsOf(deployment).flatMap(withoutPlaces))
}

/** The texts that are searched: the message, the link after its host, and the fields of the release. */
function textsOf(deployment: Deployment): string[] {
  const path = deployment.url?.replace(/^[^/]*\/\/[^/]*/, '')
  const release = releaseFields.map((name) => deployment[name])
  return [deployment.message, path, ...release].filter((text) => text !== undefined)
}

/** The words of a text without their places. For ASCII this takes a third of the time. */
function withoutPlaces(text: string): readonly string[] {
  if (!isInAscii(text)) return wordsIn(text).map(({ word }) => word)
  return (text.match(asciiPattern) ?? []).map(folded)
}

/** Whether a searched word finds a word: the same word, or one that begins with it. */
export function finds(asked: string, word: string): boolean {
  return isBeginning(asked) ? word.startsWith(asked) : word === asked
}

/** Whether a searched word also finds longer words. */
export function isBeginning(asked: string): boolean {
  return asked.length >= (/^\d+$/.test(asked) ? shortestBeginning.number : shortestBeginning.word)
}

/** Whether each searched word finds a word of a deployment, and each phrase is in one of its texts. */
export function hasAll({ words, phrases }: Wording, one: Deployment): boolean {
  return words.every((word) => hasWord(one, word)) && phrases.every((phrase) => hasPhrase(one, phrase))
}

/** Whether a searched word finds a word of a deployment, or a phrase is in one of its texts. */
export function hasAny({ words, phrases }: Wording, one: Deployment): boolean {
  return words.some((word) => hasWord(one, word)) || phrases.some((phrase) => hasPhrase(one, phrase))
}

const known = new WeakMap<Deployment, readonly string[]>()

function hasWord(deployment: Deployment, asked: string): boolean {
  const words = known.getOrInsertComputed(deployment, (one) => [...wordsOf(one)])
  return words.some((word) => finds(asked, word))
}

/** Whether the words of a phrase follow each other in one of the texts. They do not find longer words. */
function hasPhrase(deployment: Deployment, phrase: readonly string[]): boolean {
  return textsOf(deployment).some((text) => {
    const words = withoutPlaces(text)
    return words.some((_, at) => phrase.every((word, n) => words[at + n] === word))
  })
}

function folded(found: string): string {
  const plain = ascii.test(found) ? found.toLowerCase() : unaccented(found).toLowerCase().replaceAll('ς', 'σ')
  return plain
    .replace(/^v(?=\d+\.)/, '')
    .slice(0, longest)
    .toWellFormed()
}

function unaccented(text: string): string {
  const marks = /[\u0300-\u036f]/g
  return text.normalize('NFD').replace(marks, '').normalize('NFC')
}
