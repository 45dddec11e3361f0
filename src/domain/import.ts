import { type Announcement, parseAnnouncement } from './announcement/announcement.ts'
import {
  allValid,
  type Field,
  invalid,
  parseOptional,
  parseText,
  type Reasons,
  textProblems,
  valid,
} from './field-parsing.ts'
import { scopeOf, targetOf } from './target.ts'
import { lengthProblems } from './text-bounds.ts'

/**
 * The bounds of history (docs/decisions.md#history): of a call, of a user, of a user on a UTC day, of a user's
 * deployments in one second, and of the ids that a call tries before it refuses the rest as crowded.
 */
export const importLimits = {
  items: 1_000,
  bytes: 1024 * 1024,
  ofUser: 20_000,
  aDay: 10_000,
  aSecond: 1_000,
  tries: 20_000,
} as const

/**
 * Ids of history are made of the seconds of deployments, to have their order, with this many for each second. Until the
 * year 2065 they are negative, and so before all ids of the sequence.
 */
export const idsPerSecond = 100_000
export const importOrigin = 300_000_000_000_000

/** An id below those of all deployments. */
export const beforeImported = -importOrigin - 1

/** The first id of history that is not before an instant. */
export function firstImportedFrom(instant: Date): number {
  const id = Math.ceil(instant.getTime() / 1000) * idsPerSecond - importOrigin
  return Math.min(0, Math.max(-importOrigin, id))
}

/** The key tells whether a deployment is known already. */
export type ImportItem = {
  readonly announcement: Announcement
  readonly deployedAt: Date
  readonly key: string
}

/** Reads an item of POST /api/history like `parseAnnouncement`. Without a key, its version or its commit is the key. */
export function parseImportItem(
  value: unknown,
  { now, ownTokens = [] }: { readonly now: Date; readonly ownTokens?: readonly string[] },
): { outcome: 'valid'; item: ImportItem } | { outcome: 'invalid'; reasons: Reasons } {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { outcome: 'invalid', reasons: { item: ['must be a JSON object'] } }
  }
  const { deployed_at, key, ...fields } = value as Readonly<Record<string, unknown>>
  const read = parseAnnouncement(fields, { now, ownTokens })
  const own = allValid({ deployed_at: parseInstant(deployed_at), key: parseOptional(key, null, keyReasons) })
  if (read.outcome === 'invalid' || own.outcome === 'invalid') {
    const reasonsOf = (one: typeof read | typeof own) => (one.outcome === 'invalid' ? one.reasons : {})
    return { outcome: 'invalid', reasons: { ...reasonsOf(read), ...reasonsOf(own) } }
  }
  const { announcement } = read
  const known = own.values.key ?? ownKeyOf(announcement)
  return known === null
    ? { outcome: 'invalid', reasons: { key: ['is required without a version or a commit'] } }
    : { outcome: 'valid', item: { announcement, deployedAt: own.values.deployed_at, key: known } }
}

function ownKeyOf({ version, commit, url }: Announcement): string | null {
  if (version !== undefined) {
    const target = url === null ? null : targetOf(url)
    return `${version}@${target === null ? '' : scopeOf(target)}`
  }
  return commit?.toLowerCase() ?? null
}

/** RFC 3339. */
export const instantPattern =
  '^\\d{4}-\\d\\d-\\d\\d[Tt]\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?([Zz]|[+-]\\d\\d:\\d\\d)$'

const wellFormedInstant = new RegExp(instantPattern)

/** drizzle/functions/record_history.sql refuses an instant in the future, or after the first announcement. */
function parseInstant(value: unknown): Field<Date> {
  const text = parseText(value)
  if (text.outcome === 'invalid') return text
  const instant = timestampIn(text.value)
  if (instant === null) return invalid('must be an instant with its offset, such as 2024-03-12T14:03:22Z')
  return instant.getTime() < 0 ? invalid('must not be before 1970') : valid(instant)
}

/** The instant of a timestamp with its UTC offset (RFC 3339); null for any other text. */
export function timestampIn(text: string): Date | null {
  if (!wellFormedInstant.test(text)) return null
  const date = text.slice(0, '2024-03-12'.length)
  const instant = new Date(text.toUpperCase())
  // A parser may read 30 February as a day of March.
  const isDay = new Date(`${date}T00:00:00Z`).toJSON()?.startsWith(date) === true
  return isDay && !Number.isNaN(instant.getTime()) ? instant : null
}

function keyReasons(key: string): readonly string[] {
  const tooLong = lengthProblems(key, 'key')
  return tooLong.length > 0 ? tooLong : textProblems(key)
}
