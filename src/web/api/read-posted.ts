import { hashSecret } from '../../data/account/secret.ts'
import { readEvent } from '../../domain/cdevent.ts'
import { type Fields, readFields } from '../../http/body.ts'
import { Problem } from '../../http/problem.ts'

/** What was posted, as a body's own fields or from an event. */
export type Posted = {
  readonly fields: Fields
  /** What the caller calls a field, where it is not the name of ours. */
  readonly members: Readonly<Record<string, string>>
  /** What an event has in place of an Idempotency-Key. */
  readonly key: string | null
}

/**
 * Reads the body of POST /api: an announcement, or a CDEvent in either mode of CloudEvents. Throws a Problem,
 * as readFields does, or a validation error that names the members of the event.
 */
export async function readPosted(request: Request): Promise<Posted> {
  const mediaType = (request.headers.get('content-type') ?? '').toLowerCase().split(';')[0]?.trim() ?? ''
  if (mediaType.startsWith('application/cloudevents-batch')) {
    throw new Problem('unsupported_media_type', 'Send events one at a time, as application/cloudevents+json.')
  }
  const fields = await readFields(request)
  if (mediaType === 'application/cloudevents+json') return postedBy(fields.data)
  const isBinary = request.headers.has('ce-specversion') && mediaType.endsWith('json')
  return isBinary ? postedBy(fields) : { fields, members: {}, key: null }
}

function postedBy(event: unknown): Posted {
  const read = readEvent(event)
  if (!read.ok) throw new Problem('validation_error', undefined, { details: read.reasons })
  const { fields, members, key } = read.announcement
  return { fields, members, key: keyOf(key) }
}

/** As long as a key may be. No header meets it, because it has a space. */
function keyOf(key: string): string {
  return /^[\x20-\x7e]{1,255}$/.test(key) ? key : `sha256 ${hashSecret(key)}`
}
