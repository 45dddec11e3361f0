import { type Field, oneLineProblems, parseOptional } from './field-parsing.ts'

/** The environment, version and commit of a deployment; each is missing if it was not sent. */
export type Release = {
  /** As it was sent; environments are compared by `environmentKey`. */
  readonly environment?: string | undefined
  readonly version?: string | undefined
  readonly commit?: string | undefined
}

export type ReleaseField = keyof Release

export const maxEnvironmentCharacters = 64
export const maxVersionCharacters = 128

export const environmentPattern = `^[A-Za-z0-9._/-]{1,${maxEnvironmentCharacters}}$`
export const environmentRule = `1 to ${maxEnvironmentCharacters} characters from A-Z, a-z, 0-9 and . _ / -`

export const commitPattern = '^[0-9A-Fa-f]{7,64}$'

/** The reasons to refuse each field (docs/decisions.md#announce). */
const problemsOf: Readonly<Record<ReleaseField, (text: string) => string[]>> = {
  environment: (text) => (isEnvironment(text) ? [] : [`must be ${environmentRule}`]),
  version: (text) => oneLineProblems(text, maxVersionCharacters),
  commit: (text) => (new RegExp(commitPattern).test(text) ? [] : ['must be 7 to 64 hexadecimal digits']),
}

/** Reads one of these fields of a body; an empty one counts as missing. */
export function parseReleaseField(name: ReleaseField, value: unknown): Field<string | undefined> {
  return parseOptional(value, undefined, problemsOf[name])
}

/** Whether a text may be the name of an environment. */
export function isEnvironment(text: string): boolean {
  return new RegExp(environmentPattern).test(text)
}

/** The form in which environments are compared. */
export function environmentKey(environment: string): string {
  return environment.toLowerCase()
}
