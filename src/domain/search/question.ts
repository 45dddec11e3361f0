import { usernameOf } from '../account/username.ts'
import { type Target, targetOf } from '../target.ts'
import { wordsIn } from './words.ts'

/** What was asked for in the search field: all of it has to be true of a deployment. */
export type Question = {
  /** As it was typed, with single spaces. */
  readonly text: string
  /** What of it is looked for in messages and links, as it was typed. */
  readonly typed: string
  /** The same as words.ts compares them. */
  readonly words: readonly string[]
  readonly username: string | null
  readonly target: Target | null
}

/** In UTF-16 code units: room for a pasted link and some words. */
export const maxQuestionLength = 500
export const maxWords = 12

/** In messages these are names of files; as hosts they would have to be pasted with their `https://`. */
const fileEndings: ReadonlySet<string> = new Set(
  `
  conf cfg cjs css env go html ini java js json jsx kt lock lua md mjs php pl png py rb rs scss sh sql svg swift
  toml ts tsx txt vue xml yaml yml zip
  `
    .trim()
    .split(/\s+/),
)

/** Reads a search (docs/decisions.md#search), or says what is wrong with it; null if it asks for nothing. */
export function questionOf(
  asked: string,
): { ok: true; question: Question | null } | { ok: false; reason: string } {
  const pieces = asked.split(/[\s\0]+/).filter((piece) => piece !== '')
  const text = pieces.join(' ')
  if (text === '') return { ok: true, question: null }
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
  return { ok: true, question: { text, typed: typed.join(' '), words, username, target } }
}

function refused(reason: string): { ok: false; reason: string } {
  return { ok: false, reason }
}

/** Whether it is a link, or a host with or without a path, and not the name of a file or a version. */
function isAddress(piece: string): boolean {
  if (/^https?:\/\//i.test(piece)) return true
  const [, ending, path] =
    /^(?:[\p{L}\d-]+\.)+(\p{L}{2,}|xn--[a-z\d-]+)(?::\d+)?(\/\S*)?$/iu.exec(piece) ?? []
  return ending !== undefined && (path !== undefined || !fileEndings.has(ending.toLowerCase()))
}
