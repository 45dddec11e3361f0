import { type Category, categories, categoryOf, isCategory } from '../category.ts'
import { facetNames, facets } from '../feed/facets.ts'
import {
  allValid,
  type Field,
  fieldOf,
  invalid,
  isBlank,
  notAnObject,
  parseOptional,
  parseText,
  type Reasons,
  storageProblems,
  valid,
} from '../field-parsing.ts'
import { parseUrl } from '../link.ts'
import {
  parseReleaseField,
  type Release,
  type ReleaseField,
  releaseFields,
  releaseOf,
} from '../release/release.ts'
import { isTooLong, textBounds } from '../text-bounds.ts'
import { minute, timestampOf } from '../time.ts'

export type Announcement = {
  readonly message: string
  readonly url: string | null
  readonly category: Category | null
} & Release

/**
 * Reads an announcement from the unchecked fields of a body, or gives the reasons for all invalid ones
 * (docs/decisions.md#announce). `ownTokens` are the caller's working tokens.
 */
export function parseAnnouncement(
  fields: Fields,
  { now, ownTokens = [] }: { readonly now: Date; readonly ownTokens?: readonly string[] },
): { outcome: 'valid'; announcement: Announcement } | { outcome: 'invalid'; reasons: Reasons } {
  const read = allValid({
    message: withoutToken(parseMessage(fields.message), ownTokens),
    url: withoutToken(parseUrl(fields.url), ownTokens),
    category: parseCategory(fields.category),
    ...releaseIn(fields, ownTokens),
    // These are not stored, but must agree with what we would record, or a failure would be recorded as a success.
    status: parseOptional(fields.status, '', successReasons),
    state: parseOptional(fields.state, '', successReasons),
    deployed_at: parseOptional(fields.deployed_at, '', (text) => untimelyReasons(text, now)),
    ...misnamedIn(fields),
  })
  if (read.outcome === 'invalid') {
    const hint = hintOf(fields)
    return hint === null ? read : { ...read, reasons: { ...read.reasons, message: [blank, hint] } }
  }
  const { message, url, category } = read.values
  const kept = { message, url, category: category ?? categoryOf(message), ...releaseOf(read.values) }
  return { outcome: 'valid', announcement: kept }
}

type Fields = Readonly<Record<string | symbol, unknown>>

function releaseIn(fields: Fields, ownTokens: readonly string[]) {
  const read = releaseFields.map((name) => {
    return [name, withoutToken(parseReleaseField(name, fields[name]), ownTokens)] as const
  })
  return Object.fromEntries(read) as Record<ReleaseField, Field<string | undefined>>
}

/** Refuses the parameters of lists that are not called like their fields. */
function misnamedIn(fields: Fields) {
  const misnamed = facetNames.filter((facet) => facets[facet].parameter !== facet)
  return Object.fromEntries(
    misnamed.map((facet) => {
      const { parameter } = facets[facet]
      return [parameter, parseOptional(fields[parameter], '', () => [`is not a field: use ${facet}`])]
    }),
  )
}

/** Reads the message of an announcement. */
export function parseMessage(value: unknown): Field<string> {
  const text = parseText(value)
  if (text.outcome === 'invalid') return text
  const bytes = Buffer.byteLength(text.value)
  const isLonger = bytes > textBounds.message
  if (!isLonger && isBlank(text.value)) return invalid(blank)
  const tooLong = `must be at most ${textBounds.message} bytes of UTF-8 (these are ${bytes})`
  return fieldOf(text.value, [...(isLonger ? [tooLong] : []), ...storageProblems(text.value)])
}

/** The texts of unchecked fields that an announcement would make public. One that is too long is refused anyway. */
export function publicTexts(fields: unknown): string[] {
  const sent = Object(fields) as Fields
  return ['message', 'url', ...releaseFields]
    .map((name) => sent[name])
    .filter((text): text is string => typeof text === 'string' && !isTooLong(text, 'message'))
}

/** Every announcement is public at once, so none may contain one of the caller's tokens. */
function withoutToken<Value extends string | null | undefined>(
  field: Field<Value>,
  ownTokens: readonly string[],
): Field<Value> {
  const { value } = field.outcome === 'valid' ? field : { value: null }
  if (value === null || value === undefined || !ownTokens.some((token) => value.includes(token))) return field
  return invalid('contains your API token: remove it, and roll the token, because it may be in a log')
}

const blank = "can't be blank"

function hintOf(fields: Fields): string | null {
  if (fields[notAnObject] === true) return 'the body must be a JSON object'
  // `curl -d '{…}'` sends JSON as a form with one field, whose name is the JSON.
  const isJsonAsForm = fields.message === undefined && /^\s*\{/.test(Object.keys(fields)[0] ?? '')
  return isJsonAsForm
    ? 'the body looks like JSON: send it with the header Content-Type: application/json'
    : null
}

/** Allows for the sender's clock and for the retries of its pipeline. */
export const toleranceMinutes = 10

function successReasons(text: string): string[] {
  if (text.toLowerCase() === 'success') return []
  return ['must be success: announce only deployments that succeeded']
}

export const timestampForm = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d(:\d\d(\.\d+)?)?([Zz]|[+-]\d\d:\d\d)$/

function untimelyReasons(text: string, now: Date): string[] {
  const isTimestamp = timestampForm.test(text)
  if (isTimestamp && Math.abs(Date.parse(text) - now.getTime()) <= toleranceMinutes * minute) return []
  return [
    `must be within ${toleranceMinutes} minutes of now, such as ${timestampOf(now)}: leave it out, or announce right after the deployment`,
  ]
}

function parseCategory(value: unknown): Field<Category | null> {
  const text = parseText(value)
  if (text.outcome === 'invalid') return text
  if (text.value === '') return valid(null)
  if (isCategory(text.value)) return valid(text.value)
  return invalid(`must be one of ${Object.keys(categories).join(', ')}`)
}
