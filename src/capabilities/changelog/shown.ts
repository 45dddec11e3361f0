import { dayInWords } from '../../views/parts/dates.ts'
import { forgeAndName } from '../../views/parts/readable-address.ts'
import type { Changelog, ChangelogEntry } from './rules.ts'

/** "ada/engine" or "ada.dev". */
export function nameOfProject({ target }: Pick<Changelog, 'target'>): string {
  return forgeAndName(target).name
}

export function changelogTitle(changelog: Pick<Changelog, 'target'>): string {
  return `Changelog of ${nameOfProject(changelog)}`
}

/** "What reached production." */
export function meaningOf({ environments }: Pick<Changelog, 'environments'>): string {
  return environments.length === 0 ? 'What was shipped.' : `What reached ${environments.join(', ')}.`
}

/** The version of an entry, or its day in words. */
export function nameOf({ version, since }: ChangelogEntry): string {
  return version ?? dayInWords(since)
}
