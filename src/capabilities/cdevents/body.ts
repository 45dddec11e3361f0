import { hashSecret } from '../../data/account/tokens.ts'
import { mediaTypeOf, readFields } from '../../http/body.ts'
import { invalidFields, Problem } from '../../http/problem.ts'
import type { BodyReader, Posted } from '../../web/api/posted.ts'
import { type Envelope, readEvent } from './rules.ts'

/** Reads a CDEvent in either mode of CloudEvents. */
export const eventReader: BodyReader = {
  recognises(headers) {
    const isStructured = mediaTypeIn(headers).startsWith('application/cloudevents')
    return isStructured || headers.has('ce-specversion')
  },

  async read(request) {
    const { headers } = request
    const mediaType = mediaTypeIn(headers)
    if (mediaType.startsWith('application/cloudevents-batch')) {
      throw new Problem(
        'unsupported_media_type',
        'Send events one at a time, as application/cloudevents+json.',
      )
    }
    const fields = await readFields(request)
    if (mediaType === 'application/cloudevents+json') {
      const { id, source, type, data, data_base64: encoded } = fields
      const isEncoded = encoded !== undefined && data === undefined
      return postedBy(data, { id, source, type }, { isEncoded })
    }
    const isBinary = headers.has('ce-specversion') && mediaType.endsWith('json')
    if (!isBinary) return { fields, members: {}, key: null }
    const [id, source, type] = ['ce-id', 'ce-source', 'ce-type'].map((name) => headers.get(name))
    return postedBy(fields, { id, source, type })
  },
}

function mediaTypeIn(headers: Headers): string {
  return mediaTypeOf(headers.get('content-type') ?? '')
}

function postedBy(event: unknown, envelope: Envelope, { isEncoded = false } = {}): Posted | null {
  const read = readEvent(event, envelope)
  if (read.outcome === 'another_kind') return null
  if (read.outcome === 'invalid') {
    const details = isEncoded ? { data_base64: ['must be the event as JSON, in data'] } : read.reasons
    throw invalidFields(details)
  }
  const { fields, members, key } = read.announcement
  return { fields, members, key: keyOf(key) }
}

/** Hashes a long or unprintable key. The space sets the result apart from keys of headers. */
function keyOf(key: string): string {
  return /^[\x20-\x7e]{1,255}$/.test(key) ? key : `sha256 ${hashSecret(key)}`
}
