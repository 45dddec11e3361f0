import { type Field, fieldOf, parseText } from './field.ts'
import { oneLineProblems } from './text.ts'

/** What went where, in which version: each is absent where it was not given. */
export type Release = {
  /** As it was written; `environmentKey` is what it is compared by. */
  readonly environment?: string | undefined
  readonly version?: string | undefined
  readonly commit?: string | undefined
}

export type ReleaseField = keyof Release

export const maxEnvironmentCharacters = 64
export const maxVersionCharacters = 128

/** An environment that may be one, and how to say what it has to be. */
export const environmentPattern = `^[A-Za-z0-9._/-]{1,${maxEnvironmentCharacters}}$`
export const environmentRule = `1 to ${maxEnvironmentCharacters} of A-Z, a-z, 0-9 and . _ / -`

export const commitPattern = '^[0-9A-Fa-f]{7,64}$'

/** Why a given text cannot be such a field, none if it can (docs/decisions.md#announce). */
const problemsOf: Readonly<Record<ReleaseField, (text: string) => string[]>> = {
  environment: (text) => (isEnvironment(text) ? [] : [`must be ${environmentRule}`]),
  version: (text) => oneLineProblems(text, maxVersionCharacters),
  commit: (text) => (new RegExp(commitPattern).test(text) ? [] : ['must be 7 to 64 hexadecimal digits']),
}

export const releaseFields = Object.keys(problemsOf) as ReleaseField[]

/** Reads such a field of a body; an empty one is as one that was not given. */
export function parseReleaseField(name: ReleaseField, value: unknown): Field<string | undefined> {
  const text = parseText(value)
  if (!text.ok) return text
  return text.value === ''
    ? { ok: true, value: undefined }
    : fieldOf(text.value, problemsOf[name](text.value))
}

/** Whether a text is spelled like an environment. */
export function isEnvironment(text: string): boolean {
  return new RegExp(environmentPattern).test(text)
}

/** What environments are compared by. */
export function environmentKey(environment: string): string {
  return environment.toLowerCase()
}
