import { hashSecret } from '../../data/account/secret.ts'
import { findTokensOfOwner } from '../../data/account/tokens.ts'
import type { Db } from '../../database/db.ts'
import { tokensIn } from '../../domain/account/token.ts'
import { type Announcement, parseAnnouncement } from '../../domain/announcement.ts'
import { parseIdempotencyKey } from '../../domain/idempotency-key.ts'
import type { Fields } from '../../http/body.ts'
import { Problem } from '../../http/problem.ts'

export type Call = { readonly announcement: Announcement; readonly idempotencyKey: string | null }

export type CallParts = {
  readonly request: Request
  /** The fields of the body, once they are read. */
  readonly fields: Promise<Fields>
  readonly tokenHash: string
}

/** What a call of POST /api announces. Throws a Problem if anything is wrong with it. */
export async function readCall(db: Db, parts: CallParts): Promise<Call> {
  const { request, tokenHash } = parts
  const fields = await parts.fields
  const key = parseIdempotencyKey(request.headers.get('idempotency-key'))
  if (!key.ok) throw new Problem('bad_request', key.reason)
  const parsed = parseAnnouncement(fields, await findOwnTokens(db, fields, tokenHash))
  if (!parsed.ok) throw new Problem('validation_error', undefined, { details: parsed.reasons })
  return { announcement: parsed.announcement, idempotencyKey: key.key }
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
