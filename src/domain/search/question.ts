import { usernameOf } from '../account/user.ts'
import { type Target, targetOf } from '../target.ts'
import { wordsIn } from './words.ts'

/** A parsed search. A deployment has to match all of it. */
export type SearchQuestion = {
  /** The search as it was typed, with single spaces. */
  readonly text: string
  /** The part that is searched for in messages and links, as it was typed. */
  readonly typed: string
  /** The words of `typed` in the form of words.ts. */
  readonly words: readonly string[]
  readonly username: string | null
  readonly target: Target | null
}

/** In UTF-16 code units: room for a pasted link and some words. */
export const maxQuestionLength = 500
export const maxWords = 12

/** In a search, a name with such an ending is a file. A host with such an ending needs its `https://`. */
const fileEndings: ReadonlySet<string> = new Set(
  `
  conf cfg cjs css env go html ini java js json jsx kt lock lua md mjs php pl png py rb rs scss sh sql svg swift
  toml ts tsx txt vue xml yaml yml zip
  `
    .trim()
    .split(/\s+/),
)

export type ParsedSearch =
  | { readonly outcome: 'parsed'; readonly question: SearchQuestion }
  /** `reason` is a sentence for the user. */
  | { readonly outcome: 'refused'; readonly reason: string }

/** Parses what was typed into a search (docs/decisions.md#search); null if it is empty. */
export function parseSearch(asked: string): ParsedSearch | null {
  const pieces = asked.split(/[\s\0]+/).filter((piece) => piece !== '')
  const text = pieces.join(' ')
  if (text === '') return null
  if (text.length > maxQuestionLength) return refused(`A search has at most ${maxQuestionLength} characters.`)
  const users = new Set<string>()
  const targets = new Map<string, Target>()
  const typed: string[] = []
  for (const piece of pieces) {
    const username = piece.startsWith('@') ? usernameOf(piece.slice(1)) : null
    const target = isAddress(piece) ? targetOf(piece) : null
    if (username !== null) users.add(username)
    else if (target !== null) targets.set([target.host, ...target.path].join('/'), target)
    else typed.push(piece)
  }
  if (users.size > 1) return refused('A deployment is of one user: search for one @user at a time.')
  if (targets.size > 1) return refused('A deployment has one link: search for one host or project at a time.')
  const words = [...new Set(wordsIn(typed.join(' ')).map(({ word }) => word))]
  if (words.length > maxWords) return refused(`A search has at most ${maxWords} words.`)
  const [username = null] = users
  const [target = null] = targets.values()
  if (words.length === 0 && username === null && target === null) {
    return refused(
      'There is nothing in it to search for: ask for words, @user, or a host such as github.com.',
    )
  }
  return { outcome: 'parsed', question: { text, typed: typed.join(' '), words, username, target } }
}

function refused(reason: string): ParsedSearch {
  return { outcome: 'refused', reason }
}

/** Whether a text is a link or a host, with or without a path, and not a file name or a version. */
function isAddress(piece: string): boolean {
  if (/^https?:\/\//i.test(piece)) return true
  const [, ending, path] =
    /^(?:[\p{L}\d-]+\.)+(\p{L}{2,}|xn--[a-z\d-]+)(?::\d+)?(\/\S*)?$/iu.exec(piece) ?? []
  return ending !== undefined && (path !== undefined || !fileEndings.has(ending.toLowerCase()))
}
