import { type Field, oneLineProblems, parseOptional } from './field-parsing.ts'
import { textBounds } from './text-bounds.ts'

/** The environment, version and commit of a deployment; each is missing if it was not sent. */
export type Release = {
  /** As it was sent; environments are compared by `environmentKey`. */
  readonly environment?: string | undefined
  readonly version?: string | undefined
  readonly commit?: string | undefined
}

export type ReleaseField = keyof Release

export const environmentPattern = `^[A-Za-z0-9._/-]{1,${textBounds.environment}}$`
export const environmentRule = `1 to ${textBounds.environment} characters from A-Z, a-z, 0-9 and . _ / -`

export const commitPattern = '^[0-9A-Fa-f]{7,64}$'

const wellFormedEnvironment = new RegExp(environmentPattern)
const wellFormedCommit = new RegExp(commitPattern)

/** The reasons to refuse each field (docs/decisions.md#announce). */
const problemsOf: Readonly<Record<ReleaseField, (text: string) => readonly string[]>> = {
  environment: (text) => (isEnvironment(text) ? [] : [`must be ${environmentRule}`]),
  version: (text) => oneLineProblems(text, 'version'),
  commit: (text) => (wellFormedCommit.test(text) ? [] : ['must be 7 to 64 hexadecimal digits']),
}

/** Reads one of these fields of a body; an empty one counts as missing. */
export function parseReleaseField(name: ReleaseField, value: unknown): Field<string | undefined> {
  return parseOptional(value, undefined, problemsOf[name])
}

/** Whether a text may be the name of an environment. */
export function isEnvironment(text: string): boolean {
  return wellFormedEnvironment.test(text)
}

/** The form in which environments are compared. */
export function environmentKey(environment: string): string {
  return environment.toLowerCase()
}
