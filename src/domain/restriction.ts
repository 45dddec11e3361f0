import { environmentKey, isEnvironment } from './environment/environment.ts'
import { type Facet, facets } from './feed/facets.ts'
import { type Field, invalid, valid } from './field-parsing.ts'
import { scopeOf, targetOf } from './target.ts'

/** What is done for some targets and environments only; an empty list means all. */
export type Restriction = {
  /** Scopes of domain/target.ts. */
  readonly targets: readonly string[]
  /** In the form of environmentKey. */
  readonly environments: readonly string[]
}

/** "only github.com/ada/engine", "only to production": empty if it allows everything. */
export function restrictionInWords({ targets, environments }: Restriction): readonly string[] {
  return [...onlyInWords('', targets), ...onlyInWords('to', environments)]
}

/** "only to production, staging": empty if all are allowed. */
export function onlyInWords(preposition: string, values: readonly string[]): readonly string[] {
  const only = ['only', preposition].filter((word) => word !== '').join(' ')
  return values.length === 0 ? [] : [`${only} ${values.join(', ')}`]
}

/** How many targets and environments may be named. */
export const maxNamed = 50

/** Reads targets, separated by commas, as scopes. A host without a dot has to be written as a link. */
export function parseTargets(text: string): Field<readonly string[]> {
  return parseList(text, targetRule, (word) => {
    const isTarget = hasKnownHost.test(word) || /^https?:\/\/\S+$/i.test(word)
    const target = isTarget ? targetOf(word) : null
    return target === null ? null : scopeOf(target)
  })
}

export function isEnvironmentKey(text: string): boolean {
  return isEnvironment(text) && environmentKey(text) === text
}

/** A target as `parseTargets` reads it again. */
export function writtenTarget(target: string): string {
  return hasKnownHost.test(target) ? target : `http://${target}`
}

/** A host with a dot, or that of projects that announcements name. */
const hasKnownHost = /^(?:[^/\s.]*\.\S*|-\/\S+)$/

/** What a target is, and what somebody may have meant who wrote a project as lists name it. */
function targetRule(word: string): string {
  const meant = /^[\w.-]+\/[\w.-]+$/.test(word) ? `. Did you mean github.com/${word} or -/${word}?` : ''
  return `a host or project, such as github.com/ada/engine or -/engine${meant}`
}

/** Reads values of a facet, separated by commas, in the form in which they are compared. */
export function parseFacetList(facet: Facet, text: string): Field<readonly string[]> {
  const { read, advice } = facets[facet]
  return parseList(text, () => advice.list, read)
}

export function parseEnvironments(text: string): Field<readonly string[]> {
  return parseFacetList('environment', text)
}

/** Reads words, separated by commas. `ruleOf` says what a wrong one is not. */
export function parseList(
  text: string,
  ruleOf: (wrong: string) => string,
  read: (word: string) => string | null,
): Field<readonly string[]> {
  const words = text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '')
  if (words.length > maxNamed) return invalid(`can have at most ${maxNamed}`)
  const found = words.map((word) => read(word))
  const wrong = words.find((_, n) => found[n] === null)
  if (wrong !== undefined) {
    const advice = /\s/.test(wrong) ? '. Separate several by commas' : ''
    return invalid(`has “${wrong.slice(0, 60)}”, which is not ${ruleOf(wrong)}${advice}`)
  }
  return valid([...new Set(found.filter((one) => one !== null))])
}
