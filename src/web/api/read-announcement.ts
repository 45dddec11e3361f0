import { hashSecret } from '../../data/account/secret.ts'
import { findTokensOfOwner } from '../../data/account/tokens.ts'
import type { Db } from '../../database/db.ts'
import { tokensIn } from '../../domain/account/token.ts'
import { type Announcement, parseAnnouncement } from '../../domain/announcement.ts'
import { parseIdempotencyKey } from '../../domain/idempotency-key.ts'
import type { Reasons } from '../../domain/reasons.ts'
import type { Fields } from '../../http/body.ts'
import { Problem } from '../../http/problem.ts'
import type { Posted } from './read-posted.ts'

export type Call = { readonly announcement: Announcement; readonly idempotencyKey: string | null }

export type CallParts = {
  readonly request: Request
  /** The body, once it is read. */
  readonly posted: Promise<Posted>
  readonly tokenHash: string
}

/** What a call of POST /api announces. Throws a Problem if anything is wrong with it. */
export async function readCall(db: Db, parts: CallParts): Promise<Call> {
  const { request, tokenHash } = parts
  const posted = await parts.posted
  const { fields, members } = posted
  const key = parseIdempotencyKey(request.headers.get('idempotency-key'))
  if (!key.ok) throw new Problem('bad_request', key.reason)
  const parsed = parseAnnouncement(fields, await findOwnTokens(db, fields, tokenHash))
  if (!parsed.ok)
    throw new Problem('validation_error', undefined, { details: named(parsed.reasons, members) })
  return { announcement: parsed.announcement, idempotencyKey: key.key ?? posted.key }
}

/** The reasons by the names that the caller knows. */
function named(reasons: Reasons, members: Posted['members']): Reasons {
  return Object.fromEntries(Object.entries(reasons).map(([name, why]) => [members[name] ?? name, why]))
}

/** The tokens in the fields that work for the caller. Few calls hold any, so few ask the database. */
async function findOwnTokens(db: Db, fields: Fields, tokenHash: string): Promise<string[]> {
  const { message, url, environment, version } = fields
  const texts = [message, url, environment, version].filter((value) => typeof value === 'string')
  const tokens = texts.flatMap(tokensIn)
  if (tokens.length === 0) return []
  const own = await findTokensOfOwner(db, tokenHash, tokens.map(hashSecret))
  return tokens.filter((token) => own.includes(hashSecret(token)))
}
