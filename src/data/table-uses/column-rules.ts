import { isCategory } from '../../domain/category.ts'
import { facetNames, facets } from '../../domain/feed/facets.ts'
import { textProblems } from '../../domain/field-parsing.ts'
import { parseReleaseField, type ReleaseField, releaseFields } from '../../domain/release/release.ts'
import { isEnvironmentKey, maxNamed } from '../../domain/restriction.ts'
import { isScope } from '../../domain/target.ts'
import { isTooLong, lengthProblems, type TextKind } from '../../domain/text-bounds.ts'

/** The reasons to refuse a value, which read like those of a field; empty if its column may hold it. */
export type ColumnRule = (value: unknown, row: Readonly<Record<string, unknown>>) => readonly string[]

/** By the name of the column in the database. */
export type ColumnRules = Readonly<Record<string, ColumnRule>>

/** A text that has no such reasons against it. */
export const textWithout =
  (reasonsOf: (text: string) => readonly string[]): ColumnRule =>
  (value) =>
    typeof value === 'string' ? reasonsOf(value) : ['must be a text']

export const textThat = (isRight: (text: string) => boolean, reason: string): ColumnRule =>
  textWithout((text) => (isRight(text) ? [] : [reason]))

export const textLike = (form: RegExp, reason: string): ColumnRule =>
  textThat((text) => form.test(text), reason)

/** A value that may also be missing. */
export const nullOr =
  (rule: ColumnRule): ColumnRule =>
  (value, row) =>
    value === null ? [] : rule(value, row)

/** A list of at most `max` values, all of which have to keep the rule. */
export const listOf =
  (max: number, rule: ColumnRule): ColumnRule =>
  (value, row) =>
    Array.isArray(value) && value.length <= max
      ? value.flatMap((one) => rule(one, row))
      : [`must be a list of at most ${max}`]

export const boundedText = (kind: TextKind): ColumnRule => textWithout((text) => lengthProblems(text, kind))

/** One without control characters. */
export const plainText = (kind: TextKind): ColumnRule =>
  textWithout((text) => [...lengthProblems(text, kind), ...(isTooLong(text, kind) ? [] : textProblems(text))])

const releaseRule = (name: ReleaseField): ColumnRule =>
  nullOr((value) => {
    const read = parseReleaseField(name, value)
    if (read.outcome === 'invalid') return read.reasons
    return read.value === undefined ? ["can't be blank"] : []
  })

/** The columns of what an announcement says of a release. */
export const releaseRules = Object.fromEntries(releaseFields.map((name) => [name, releaseRule(name)]))

/** The columns of the lists of facets that a filter has. */
export const facetListRules = Object.fromEntries(
  facetNames.map((facet) => {
    const { list: name, values, read } = facets[facet]
    const rule = textThat((text) => read(text) === text, `must be one of the ${name}`)
    return [name, listOf(values?.length ?? maxNamed, rule)]
  }),
)

export const hashRule = textLike(/^[\da-f]{64}$/, 'must be a SHA-256 in hexadecimal digits')
export const lastFourRule = textLike(/^[\dA-Za-z]{4}$/, 'must be four letters or digits')
export const foreignIdRule = textLike(/^[!-~]{1,255}$/, 'must be visible ASCII characters')
export const issuerRule = textThat(
  (text) => !isTooLong(text, 'link') && /^https?:\/\/[!-~]+$/.test(text),
  'must be an address',
)
export const scopeRule = textThat(isScope, 'must be a host or project')
export const targetsRule = listOf(maxNamed, scopeRule)
export const environmentsRule = listOf(
  maxNamed,
  textThat(isEnvironmentKey, 'must be an environment in lower case'),
)
export const categoryRule = textThat(isCategory, 'must be a category')
