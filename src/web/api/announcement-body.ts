import { hashSecret } from '../../data/account/secret.ts'
import { type Envelope, readEvent } from '../../domain/cdevent.ts'
import { type Fields, readFields } from '../../http/body.ts'
import { Problem } from '../../http/problem.ts'

/** An announcement as it was posted, before it is validated. */
export type Posted = {
  readonly fields: Fields
  /** The caller's names of the fields, where they differ from ours. */
  readonly members: Readonly<Record<string, string>>
  /** The key of an event, in place of an Idempotency-Key. */
  readonly key: string | null
}

/**
 * Reads the body of POST /api: an announcement, or a CDEvent in either mode of CloudEvents; null for an event
 * that is not about a deployment. Throws a Problem, as readFields does, or a validation error that names the
 * members of the event.
 */
export async function readPosted(request: Request): Promise<Posted | null> {
  const { headers } = request
  const mediaType = (headers.get('content-type') ?? '').toLowerCase().split(';')[0]?.trim() ?? ''
  if (mediaType.startsWith('application/cloudevents-batch')) {
    throw new Problem('unsupported_media_type', 'Send events one at a time, as application/cloudevents+json.')
  }
  const fields = await readFields(request)
  if (mediaType === 'application/cloudevents+json') {
    const { id, source, type, data, data_base64: encoded } = fields
    return postedBy(data, { id, source, type }, { isEncoded: encoded !== undefined && data === undefined })
  }
  const isBinary = headers.has('ce-specversion') && mediaType.endsWith('json')
  if (!isBinary) return { fields, members: {}, key: null }
  const [id, source, type] = ['ce-id', 'ce-source', 'ce-type'].map((name) => headers.get(name))
  return postedBy(fields, { id, source, type })
}

function postedBy(event: unknown, envelope: Envelope, { isEncoded = false } = {}): Posted | null {
  const read = readEvent(event, envelope)
  if (read.outcome === 'another_kind') return null
  if (read.outcome === 'invalid') {
    const details = isEncoded ? { data_base64: ['must be the event as JSON, in data'] } : read.reasons
    throw new Problem('validation_error', undefined, { details })
  }
  const { fields, members, key } = read.announcement
  return { fields, members, key: keyOf(key) }
}

/** Hashes a key that is too long. The space in it keeps it apart from every key of a header. */
function keyOf(key: string): string {
  return /^[\x20-\x7e]{1,255}$/.test(key) ? key : `sha256 ${hashSecret(key)}`
}
