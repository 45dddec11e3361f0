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

/** How many targets and environments may be named. */
const mostNamed = 50

/** Reads targets, separated by commas or spaces, as scopes. */
export function parseTargets(text: string): Field<readonly string[]> {
  return parseList(text, 'a host or project, such as github.com/ada/engine', (word) => {
    const target = targetOf(word)
    return target === null ? null : scopeOf(target)
  })
}

/** Reads environments, separated by commas or spaces, in the form of environmentKey. */
export function parseEnvironments(text: string): Field<readonly string[]> {
  return parseList(text, environmentRule, (word) => (isEnvironment(word) ? environmentKey(word) : null))
}

export function parseList(
  text: string,
  rule: string,
  read: (word: string) => string | null,
): Field<readonly string[]> {
  const words = text.split(/[\s,]+/).filter((word) => word !== '')
  if (words.length > mostNamed) return invalid(`can have at most ${mostNamed}`)
  const found = words.map((word) => read(word))
  const wrong = words.find((_, n) => found[n] === null)
  if (wrong !== undefined) return invalid(`has “${wrong.slice(0, 60)}”, which is not ${rule}`)
  return valid([...new Set(found.filter((one) => one !== null))])
}
