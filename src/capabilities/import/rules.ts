import { type Announcement, parseAnnouncement } from '../../domain/announcement/announcement.ts'
import { timestampIn } from '../../domain/announcement/instant.ts'
import {
  allValid,
  type Field,
  invalid,
  parseOptional,
  parseText,
  type Reasons,
  textProblems,
  valid,
} from '../../domain/field-parsing.ts'
import { repositoryOf, scopeOf, targetOfDeployment } from '../../domain/target.ts'
import { lengthProblems } from '../../domain/text-bounds.ts'

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

/** A release and its tag have one key: a version that names its package does so whole, whatever their links are. */
function ownKeyOf({ version, commit, url, project }: Announcement): string | null {
  if (version !== undefined) {
    const named = targetOfDeployment({ url: null, project })
    return `${version}@${scopeOf(named ?? (url === null ? null : repositoryOf(url)))}`
  }
  return commit?.toLowerCase() ?? null
}

/** drizzle/functions/record_history.sql refuses an instant in the future, or after the first announcement. */
function parseInstant(value: unknown): Field<Date> {
  const text = parseText(value)
  if (text.outcome === 'invalid') return text
  const instant = timestampIn(text.value)
  if (instant === null) return invalid('must be an instant with its offset, such as 2024-03-12T14:03:22Z')
  return instant.getTime() < 0 ? invalid('must not be before 1970') : valid(instant)
}

function keyReasons(key: string): readonly string[] {
  const tooLong = lengthProblems(key, 'key')
  return tooLong.length > 0 ? tooLong : textProblems(key)
}
