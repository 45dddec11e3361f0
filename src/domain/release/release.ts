import { actorProblems } from '../account/actor.ts'
import { environmentRule, isEnvironment } from '../environment/environment.ts'
import { type Field, oneLineProblems, parseOptional } from '../field-parsing.ts'
import { linkProblems } from '../link.ts'
import { isProjectName, projectRule } from '../target.ts'

export const commitForm = /^[0-9A-Fa-f]{7,64}$/

/** The fields that say what was released where and by whom, and the reasons to refuse each (docs/decisions.md#announce). */
const problemsOf = {
  environment: (text: string) => (isEnvironment(text) ? [] : [`must be ${environmentRule}`]),
  version: (text: string) => oneLineProblems(text, 'version'),
  commit: (text: string) => (commitForm.test(text) ? [] : ['must be 7 to 64 hexadecimal digits']),
  project: (text: string) => (isProjectName(text) ? [] : [`must be ${projectRule}`]),
  actor: actorProblems,
  environment_url: linkProblems,
}

export type ReleaseField = keyof typeof problemsOf
export const releaseFields = Object.keys(problemsOf) as readonly ReleaseField[]

/** These fields of a deployment, each as it was sent; missing if it was not. */
export type Release = { readonly [Name in ReleaseField]?: string | undefined }

/** These fields of something that may have more. */
export function releaseOf(from: { readonly [Name in ReleaseField]?: string | null | undefined }): Release {
  const release: { [Name in ReleaseField]?: string | undefined } = {}
  // A loop, because each row of a list is read by it.
  for (const name of releaseFields) release[name] = from[name] ?? undefined
  return release
}

/** Reads one of these fields of a body; an empty one counts as missing. */
export function parseReleaseField(name: ReleaseField, value: unknown): Field<string | undefined> {
  return parseOptional(value, undefined, problemsOf[name])
}

/** A release as it is compared. */
export type Named = Pick<Release, 'version' | 'commit'>

/** The usual number of digits of a commit in a text. */
const commitDigits = 7

/** The beginning of a commit, by which texts name it; null without a commit. */
export function shortCommit(commit: string | null | undefined): string | null {
  return commit?.slice(0, commitDigits) ?? null
}

/** What a release is called: its version or, without one, the beginning of its commit; null if it has neither. */
export function nameOfRelease({ version, commit }: Named): string | null {
  return version ?? shortCommit(commit)
}

/** Whether both have the same commit or, if one of them has none, the same version. */
export function isSameRelease(one: Named, other: Named): boolean {
  if (one.commit !== undefined && other.commit !== undefined) {
    const [a, b] = [one.commit.toLowerCase(), other.commit.toLowerCase()]
    return a.startsWith(b) || b.startsWith(a)
  }
  return one.version !== undefined && one.version === other.version
}
