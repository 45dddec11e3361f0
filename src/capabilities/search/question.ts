import { usernameOf } from '../../domain/account/user.ts'
import { type Facet, type Facets, facetNames, facets, facetsFrom } from '../../domain/feed/facets.ts'
import { isNamedProject, type Target, targetOf } from '../../domain/target.ts'
import { isTooLong, textBounds } from '../../domain/text-bounds.ts'
import { wordsInFacets } from './postings.ts'
import { type Wording, wordsIn } from './words.ts'

/** A parsed search. A deployment has to match all of it. */
export type SearchQuestion = TypedWording & {
  /** The search as it was typed, with single spaces. */
  readonly text: string
  /** The search text without its category, for the links to other categories. */
  readonly ofAnyCategory: string
  readonly without: TypedWording
  readonly username: string | null
  readonly target: Target | null
  readonly by: Facets
}

/** A wording in the form of words.ts, and as it was typed: all single words as one text, and each phrase. */
type TypedWording = Wording & {
  readonly typed: { readonly words: string; readonly phrases: readonly string[] }
}

/** The most words of a search, with those that are left out of it. */
export const maxWords = 12

export const maxCounted = 1_000

/** The number of results of a search: exact if these are all, otherwise a lower bound. */
export type Count = { readonly found: number; readonly isAll: boolean }

/** A name with such an ending is a file. A host with such an ending needs `https://` or a path. */
const fileEndings = [
  ...'conf cfg cjs css env go html ini java js json jsx kt lock lua md mjs php pl png py rb rs'.split(' '),
  ...'scss sh sql svg swift toml ts tsx txt vue xml yaml yml zip'.split(' '),
]

type ParsedSearch =
  | { readonly outcome: 'parsed'; readonly question: SearchQuestion }
  | { readonly outcome: 'refused'; readonly reason: string }

type PieceKind = 'word' | 'phrase' | 'no word' | 'no phrase' | 'username' | Facet | 'unknown'

/** What the pieces of a search say, by their kind. An unknown piece has the reason to refuse the search. */
type Said = Record<PieceKind, string> & { readonly target: Target }

type Meaning = { [Kind in keyof Said]: { readonly kind: Kind; readonly value: Said[Kind] } }[keyof Said]

/** The parts that a search may have once, each with the sentence that refuses a second one. */
const single: readonly (readonly [kind: 'username' | 'target' | Facet, refusal: string])[] = [
  ['username', 'A deployment is of one user: search for one @user at a time.'],
  ['target', 'A deployment has one link: search for one host or project at a time.'],
  ...facetNames.map((facet) => {
    const refusal = `A deployment has one ${facet}: search for one ${facets[facet].key}: at a time.`
    return [facet, refusal] as const
  }),
]

/** A phrase in quotes, or a text between spaces. The last quote may be left open. Phones type curly quotes. */
const pieces = /-?["“„][^"“”„]*(?:["“”]|$)|\S+/g

/** Parses what was typed into a search; null if it is empty. */
export function parseSearch(asked: string): ParsedSearch | null {
  if (isTooLong(asked.trim(), 'question')) {
    return refused(`A search has at most ${textBounds.question} characters.`)
  }
  const text = asked.replace(/[\s\0]+/g, ' ').trim()
  if (text === '') return null
  const typed = text.match(pieces) ?? []
  const meanings = typed.map(meaningOf)
  const all = <Kind extends keyof Said>(kind: Kind) =>
    meanings.filter((meaning) => meaning.kind === kind).map(({ value }) => value as Said[Kind])
  const [unknown] = all('unknown')
  if (unknown !== undefined) return refused(unknown)
  for (const [kind, refusal] of single) {
    const different = new Set(all(kind).map((value) => JSON.stringify(value)))
    if (different.size > 1) return refused(refusal)
  }
  const wording = wordingOf(all('word'), all('phrase'))
  const without = wordingOf(all('no word'), all('no phrase'))
  if (countOf(wording) + countOf(without) > maxWords)
    return refused(`A search has at most ${maxWords} words.`)
  const question = {
    ...wording,
    text,
    ofAnyCategory: typed.filter((_, n) => meanings[n]?.kind !== 'category').join(' '),
    without,
    username: all('username')[0] ?? null,
    target: all('target')[0] ?? null,
    by: facetsFrom((facet) => all(facet)[0]),
  }
  if (hasTerms(question)) return { outcome: 'parsed', question }
  return refused('This search has nothing to search for: type words, @user, or a host such as github.com.')
}

/** The beginning of the usernames to suggest: the user or the last word of a search; null if none can have it. */
export function beginningIn({ username, typed }: SearchQuestion): string | null {
  const [, beginning = null] = /(?:^| )@?([a-z\d][a-z\d-]*)$/.exec(typed.words.toLowerCase()) ?? []
  return username ?? beginning
}

function refused(reason: string): ParsedSearch {
  return { outcome: 'refused', reason }
}

function meaningOf(piece: string): Meaning {
  const [, no, quoted] = /^(-?)["“„]([^"“”„]*)/.exec(piece) ?? []
  if (quoted !== undefined) return { kind: no === '-' ? 'no phrase' : 'phrase', value: quoted }
  const username = piece.startsWith('@') ? usernameOf(piece.slice(1)) : null
  if (username !== null) return { kind: 'username', value: username }
  const facet = facetIn(piece)
  if (facet !== null) return facet
  const named = targetNamedIn(piece)
  if (named !== null) return { kind: 'target', value: named }
  const [, leftOut] = /^-([^-].*)$/.exec(piece) ?? []
  if (leftOut === undefined) {
    const target = isAddress(piece) ? targetOf(piece) : null
    return target === null ? { kind: 'word', value: piece } : { kind: 'target', value: target }
  }
  if (meaningOf(leftOut).kind !== 'word') return { kind: 'unknown', value: onlyWords }
  // A text of several words, such as -package.json, is left out as a whole.
  return { kind: wordsIn(leftOut).length > 1 ? 'no phrase' : 'no word', value: leftOut }
}

/** A project by its name alone, such as project:engine or -/engine; null for any other piece. */
function targetNamedIn(piece: string): Target | null {
  const target = targetOf(piece.replace(/^project:/i, '-/'))
  return target !== null && isNamedProject(target) ? target : null
}

const onlyWords = 'Only words can be left out of a search, such as -draft or -"work in progress".'

/** What a piece such as env:production says; null for any other. */
function facetIn(piece: string): Meaning | null {
  const [, key = '', text = ''] = /^([a-z]+):(.*)$/i.exec(piece) ?? []
  const facet = facetNames.find((facet) => facets[facet].key === key.toLowerCase())
  if (facet === undefined) return null
  const { read, advice, isCaseless } = facets[facet]
  const value = read(isCaseless ? text : text.toLowerCase())
  return value === null ? { kind: 'unknown', value: advice.search } : { kind: facet, value }
}

function wordingOf(singles: readonly string[], inQuotes: readonly string[]): TypedWording {
  const typed = singles.join(' ')
  const phrases = inQuotes
    .map((text) => ({ text: text.trim(), words: wordsIn(text).map(({ word }) => word) }))
    .filter(({ words }) => words.length > 0)
  return {
    words: [...new Set(wordsIn(typed).map(({ word }) => word))],
    phrases: phrases.map(({ words }) => words),
    typed: { words: typed, phrases: phrases.map(({ text }) => text) },
  }
}

function hasTerms(question: SearchQuestion): boolean {
  const { username, target, by } = question
  const isOfFacet = by.category !== undefined || wordsInFacets(by).length > 0
  return countOf(question) > 0 || username !== null || target !== null || isOfFacet
}

function countOf({ words, phrases }: Wording): number {
  return words.length + phrases.flat().length
}

/** Whether a text is a link or a host, with or without a path, and not a file name or a version. */
function isAddress(piece: string): boolean {
  if (/^https?:\/\//i.test(piece)) return true
  const [, ending, path] =
    /^(?:[\p{L}\d-]+\.)+(\p{L}{2,}|xn--[a-z\d-]+)(?::\d+)?(\/\S*)?$/iu.exec(piece) ?? []
  return ending !== undefined && (path !== undefined || !fileEndings.includes(ending.toLowerCase()))
}
