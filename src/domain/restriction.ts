import { type Field, invalid, valid } from './field-parsing.ts'
import { environmentKey, environmentRule, isEnvironment } from './release.ts'
import { scopeOf, targetOf } from './target.ts'

/** What is done for some targets and environments only; an empty list means all. */
export type Restriction = {
  /** Scopes of domain/target.ts. */
  readonly targets: readonly string[]
  /** In the form of environmentKey of domain/release.ts. */
  readonly environments: readonly string[]
}

/** "only github.com/ada/engine", "only to production": empty if it allows everything. */
export function restrictionInWords({ targets, environments }: Restriction): readonly string[] {
  return [
    ...(targets.length === 0 ? [] : [`only ${targets.join(', ')}`]),
    ...(environments.length === 0 ? [] : [`only to ${environments.join(', ')}`]),
  ]
}

/** How many targets and environments may be named. */
export const mostNamed = 50

/** Reads targets, separated by commas, as scopes. A host without a dot has to be written as a link. */
export function parseTargets(text: string): Field<readonly string[]> {
  return parseList(text, targetRule, (word) => {
    const isNamed = hasDottedHost.test(word) || /^https?:\/\/\S+$/i.test(word)
    const target = isNamed ? targetOf(word) : null
    return target === null ? null : scopeOf(target)
  })
}

/** Whether a text is an environment in the form of environmentKey. */
export function isEnvironmentKey(text: string): boolean {
  return isEnvironment(text) && environmentKey(text) === text
}

/** A target as `parseTargets` reads it again. */
export function writtenTarget(target: string): string {
  return hasDottedHost.test(target) ? target : `http://${target}`
}

const hasDottedHost = /^[^/\s.]*\.\S*$/

/** What a target is, and what somebody may have meant who wrote a project as lists name it. */
function targetRule(word: string): string {
  const meant = /^[\w.-]+\/[\w.-]+$/.test(word) ? `. Did you mean github.com/${word}?` : ''
  return `a host or project, such as github.com/ada/engine${meant}`
}

/** Reads environments, separated by commas, in the form of environmentKey. */
export function parseEnvironments(text: string): Field<readonly string[]> {
  return parseList(
    text,
    () => environmentRule,
    (word) => (isEnvironment(word) ? environmentKey(word) : null),
  )
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
  if (words.length > mostNamed) return invalid(`can have at most ${mostNamed}`)
  const found = words.map((word) => read(word))
  const wrong = words.find((_, n) => found[n] === null)
  if (wrong !== undefined) {
    const advice = /\s/.test(wrong) ? '. Separate several by commas' : ''
    return invalid(`has “${wrong.slice(0, 60)}”, which is not ${ruleOf(wrong)}${advice}`)
  }
  return valid([...new Set(found.filter((one) => one !== null))])
}
