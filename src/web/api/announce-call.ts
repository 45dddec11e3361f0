import { type Announcement, parseAnnouncement } from '../../domain/announcement.ts'
import { parseIdempotencyKey } from '../../domain/idempotency-key.ts'
import type { Reasons } from '../../domain/reasons.ts'
import { readFields } from '../../http/body.ts'
import { Problem } from '../../http/problem.ts'
import { json, problemJson } from '../../http/respond.ts'

/** An answer other than 201, and what the owner of the token is told of it: the names of fields, no values. */
export type Refused = { readonly response: Response; readonly reason: string }

type Call =
  | { readonly ok: true; readonly announcement: Announcement; readonly idempotencyKey: string | null }
  | ({ readonly ok: false } & Refused)

/** Reads a call of POST /api: what it announces, or why that is refused. */
export async function readCall(request: Request): Promise<Call> {
  try {
    const fields = await readFields(request)
    const key = parseIdempotencyKey(request.headers.get('idempotency-key'))
    if (!key.ok) throw new Problem('bad_request', key.reason)
    const parsed = parseAnnouncement(fields)
    return parsed.ok
      ? { ok: true, announcement: parsed.announcement, idempotencyKey: key.key }
      : { ok: false, response: invalid(parsed.reasons), reason: inOneLine(parsed.reasons) }
  } catch (error) {
    if (error instanceof Problem) return { ok: false, ...refused(error) }
    throw error
  }
}

/** The answer to a problem, which tells the owner the same. */
export function refused(problem: Problem): Refused {
  return { response: problemJson(problem), reason: problem.message }
}

function invalid(details: Reasons): Response {
  return json(422, {
    error: 'validation_error',
    message: 'The announcement was not recorded. Correct the fields in details.',
    details,
  })
}

function inOneLine(reasons: Reasons): string {
  return Object.entries(reasons)
    .map(([field, list]) => `${field} ${list.join(', ')}`)
    .join('; ')
}
