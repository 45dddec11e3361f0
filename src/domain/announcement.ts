import { type Category, categories, categoryOf, isCategory } from './category.ts'
import { type Field, fieldOf, parseText, reasonsOf } from './field.ts'
import type { Reasons } from './reasons.ts'
import { parseReleaseField, type Release } from './release.ts'
import { maxUrlCharacters, targetOf } from './target.ts'
import { hasBidiControl, isBlank, storageProblems } from './text.ts'

export type Announcement = {
  readonly message: string
  readonly url: string | null
  readonly category: Category | null
} & Release

/**
 * Reads an announcement from the unknown fields of a body. Gives it with its category, or the reasons of all
 * invalid fields at once (docs/decisions.md#announce). Nothing is coerced or cut. `ownTokens` are the
 * caller's working tokens, which must not be in it.
 */
export function parseAnnouncement(
  fields: Readonly<Record<string, unknown>>,
  ownTokens: readonly string[] = [],
): { ok: true; announcement: Announcement } | { ok: false; reasons: Reasons } {
  const message = withoutToken(parseMessage(fields.message), ownTokens)
  const url = withoutToken(parseUrl(fields.url), ownTokens)
  const category = parseCategory(fields.category)
  const environment = withoutToken(parseReleaseField('environment', fields.environment), ownTokens)
  const version = withoutToken(parseReleaseField('version', fields.version), ownTokens)
  const commit = parseReleaseField('commit', fields.commit)
  if (message.ok && url.ok && category.ok && environment.ok && version.ok && commit.ok) {
    const announcement = {
      message: message.value,
      url: url.value,
      category: category.value ?? categoryOf(message.value),
      environment: environment.value,
      version: version.value,
      commit: commit.value,
    }
    return { ok: true, announcement }
  }
  const reasons = reasonsOf({ message, url, category, environment, version, commit })
  return { ok: false, reasons: isJsonAsForm(fields) ? { ...reasons, message: jsonAsForm } : reasons }
}

export const maxBodyBytes = 64 * 1024
export const maxMessageBytes = 4096

function parseMessage(value: unknown): Field<string> {
  const text = parseText(value)
  if (!text.ok) return text
  if (isBlank(text.value)) return { ok: false, reasons: [blank] }
  const bytes = new TextEncoder().encode(text.value).length
  const tooLong = `must be at most ${maxMessageBytes} bytes of UTF-8 (these are ${bytes})`
  return fieldOf(text.value, [...(bytes > maxMessageBytes ? [tooLong] : []), ...storageProblems(text.value)])
}

/** A message is public at once, so a token in it is given away. */
function withoutToken<Value extends string | null | undefined>(
  field: Field<Value>,
  ownTokens: readonly string[],
): Field<Value> {
  const { value } = field.ok ? field : { value: null }
  if (value === null || value === undefined || !ownTokens.some((token) => value.includes(token))) return field
  return {
    ok: false,
    reasons: ['holds your API token: take it out, and roll the token, which may be in a log'],
  }
}

const blank = "can't be blank"
const jsonAsForm = [blank, 'the body looks like JSON: send it with the header Content-Type: application/json']

/** `curl -d '{…}'` sends JSON as a form, whose only field is then named like the JSON. */
function isJsonAsForm(fields: Readonly<Record<string, unknown>>): boolean {
  return fields.message === undefined && /^\s*\{/.test(Object.keys(fields)[0] ?? '')
}

function parseUrl(value: unknown): Field<string | null> {
  const text = parseText(value)
  if (!text.ok) return text
  return text.value === '' ? { ok: true, value: null } : fieldOf(text.value, urlReasons(text.value))
}

function parseCategory(value: unknown): Field<Category | null> {
  const text = parseText(value)
  if (!text.ok) return text
  if (text.value === '') return { ok: true, value: null }
  if (isCategory(text.value)) return { ok: true, value: text.value }
  return { ok: false, reasons: [`must be one of ${Object.keys(categories).join(', ')}`] }
}

function urlReasons(url: string): string[] {
  const characters = [...url].length
  if (characters > maxUrlCharacters) {
    return [`must be at most ${maxUrlCharacters} characters (these are ${characters})`]
  }
  // The parser would drop or replace these, and the link would lead elsewhere than it shows.
  if (/[\s\p{Cc}]/u.test(url) || hasBidiControl(url)) return ["can't contain spaces or control characters"]
  if (!url.isWellFormed()) return storageProblems(url)
  if (!/^https?:\/\/(?![/\\])/i.test(url)) return ['must start with http:// or https://']
  if (!URL.canParse(url)) return ['must be a valid URL']
  if (/^[^/]+\/\/[^/\\?#]*@/.test(url)) return ["can't contain a username or password"]
  // A link that is accepted counts for its target.
  return targetOf(url) === null ? ['must name a host that can exist: dots between names, 253 characters'] : []
}
