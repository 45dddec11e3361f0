import { commonPasswords, commonWords } from './common-passwords.ts'

/** Neighbours on keyboards, in the alphabet and among the digits. */
const rows = ['01234567890', 'abcdefghijklmnopqrstuvwxyz', 'qwertyuiop', 'qwertzuiop', 'azertyuiop']
  .concat(['asdfghjkl', 'zxcvbnm', 'yxcvbnm', '1qaz2wsx3edc4rfv5tgb6yhn7ujm', 'qazwsxedcrfvtgbyhnujm'])
  .flatMap((row) => [row, [...row].reverse().join('')])

/** The digits and marks that stand for letters. */
const letters: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
}

/** A word with at most this many digits and marks around it is no good password. */
const fewAround = 6

/** Longer ones are hard to guess, and this must stay quick. */
const longest = 64

/**
 * Whether a password is guessed early despite its length: it is one of the commonest, one or two common words
 * with a few digits and marks around, a repeated part, or neighbours on a keyboard. `own` are words of its
 * owner, such as the username.
 */
export function isGuessable(password: string, own: readonly string[]): boolean {
  const text = password.toLowerCase()
  if (commonPasswords.has(text) || isRepetition(text)) return true
  if (text.length > longest) return false
  const ofOwner = own.map((word) => word.toLowerCase().replace(/[^a-z]/g, ''))
  const words = new Set([...commonWords, ...ofOwner.filter((word) => word.length > 2)])
  return isInRows(text) || isOfWords(text, words)
}

function isRepetition(text: string): boolean {
  const lengths = [1, 2, 3, 4].filter((length) => text.length >= 2 * length)
  return lengths.some((length) => text === text.slice(0, length).repeat(text.length).slice(0, text.length))
}

/** Whether it consists of runs of three or more neighbours or equal characters. */
function isInRows(text: string): boolean {
  for (let from = 0; from < text.length; ) {
    const length = longestRow(text.slice(from))
    if (length < 3) return false
    from += length
  }
  return true
}

function longestRow(text: string): number {
  const same = /^(.)\1*/su.exec(text)?.[0].length ?? 0
  let length = 2
  while (length < text.length && rows.some((row) => row.includes(text.slice(0, length + 1)))) length += 1
  return Math.max(same, length)
}

/** A digit or mark at an end may stand for a letter or for itself, so both readings are tried. */
function isOfWords(text: string, words: ReadonlySet<string>): boolean {
  return [text, withLetters(text)].some((spelled) => {
    const [core = ''] = /[a-z].*[a-z]/s.exec(spelled) ?? []
    if (core === '' || text.length - core.length > fewAround) return false
    const joined = withLetters(core).replace(/[^a-z]/g, '')
    return words.has(core) || words.has(joined) || isTwoWords(joined, words)
  })
}

function withLetters(text: string): string {
  return text.replace(/[013457@$!]/g, (mark) => letters[mark] ?? mark)
}

function isTwoWords(text: string, words: ReadonlySet<string>): boolean {
  for (let at = 3; at <= text.length - 3; at += 1) {
    const [first, rest] = [text.slice(0, at), text.slice(at)]
    if (words.has(first) && (words.has(rest) || rest === first.repeat(rest.length / first.length)))
      return true
  }
  return false
}
