import { fileField, isNoObject, maxBodyBytes, repeatedField } from '../domain/body.ts'
import { Problem } from './problem.ts'

export type Fields = Readonly<Record<string, unknown>>

/** The reader for each media type. A type that ends in +json is JSON too. */
const readers = {
  'application/json': readJson,
  'application/x-www-form-urlencoded': readUrlEncoded,
  'multipart/form-data': readMultipart,
} as const

/**
 * Reads the fields of a JSON or form body. Throws a Problem: 415, 413 or 400, checked in this order. A form
 * field that is repeated or holds a file gets a marker as its value, which validation refuses.
 */
export async function readFields(request: Request): Promise<Fields> {
  const contentType = request.headers.get('content-type') ?? ''
  const read = readerOf(contentType)
  if (read === null || isEncoded(request)) throw new Problem('unsupported_media_type')
  return await read(await readBytes(request), contentType)
}

/** The named fields of a browser's form; '' for those that are missing or not text. */
export async function readForm<Name extends string>(
  request: Request,
  names: readonly Name[],
): Promise<Record<Name, string>> {
  const fields = await readFields(request)
  const entries = names.map((name) => [name, typeof fields[name] === 'string' ? fields[name] : ''])
  return Object.fromEntries(entries) as Record<Name, string>
}

function readerOf(contentType: string): (typeof readers)[keyof typeof readers] | null {
  const [type = '', ...parameters] = contentType.toLowerCase().split(';')
  const charset = parameters
    .map((parameter) => parameter.trim())
    .find((parameter) => parameter.startsWith('charset='))
  if (charset !== undefined && !/^charset="?(utf-?8|us-ascii)"?$/.test(charset)) return null
  const mediaType = type.trim()
  if (/^application\/[^\s/]+\+json$/.test(mediaType)) return readJson
  return Object.hasOwn(readers, mediaType) ? readers[mediaType as keyof typeof readers] : null
}

function isEncoded(request: Request): boolean {
  return (request.headers.get('content-encoding') ?? 'identity').toLowerCase() !== 'identity'
}

function decode(bytes: Uint8Array, { keepBom = false } = {}): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: keepBom }).decode(bytes)
  } catch {
    throw new Problem('bad_request', 'The body is not valid UTF-8. Send it in UTF-8.')
  }
}

/** A body that is empty or not an object has none of the required fields, so validation names them all. */
function readJson(bytes: Uint8Array): Fields {
  if (bytes.length === 0) return {}
  const text = decode(bytes)
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Fields)
      : { [isNoObject]: true }
  } catch {
    throw new Problem('bad_request')
  }
}

/** URLSearchParams would replace invalid escapes, but a message must be echoed byte for byte. */
function readUrlEncoded(bytes: Uint8Array): Fields {
  const text = decode(bytes)
  try {
    decodeURIComponent(text)
  } catch {
    throw new Problem(
      'bad_request',
      'A form field has an invalid percent escape. Write % as %25, or use --data-urlencode "message=…" with curl.',
    )
  }
  // Without the leading &, a question mark at the beginning would be dropped.
  return fieldsOf(new URLSearchParams(`&${text}`))
}

/** The parser would replace invalid UTF-8 and drop a BOM, so it is given each byte as one character. */
async function readMultipart(bytes: Uint8Array, contentType: string): Promise<Fields> {
  const form = await new Response(Buffer.from(bytes).toString('latin1'), {
    headers: { 'Content-Type': contentType },
  })
    .formData()
    .catch(() => {
      throw new Problem(
        'bad_request',
        'The multipart body cannot be read. Check its boundary and its line endings.',
      )
    })
  const text = (characters: string) => decode(Buffer.from(characters, 'latin1'), { keepBom: true })
  return fieldsOf(
    [...form].map(([name, value]) => [text(name), typeof value === 'string' ? text(value) : fileField]),
  )
}

function fieldsOf(pairs: Iterable<readonly [name: string, value: unknown]>): Fields {
  const fields = new Map<string, unknown>()
  for (const [name, value] of pairs) fields.set(name, fields.has(name) ? repeatedField : value)
  return Object.fromEntries(fields)
}

/**
 * Reads a whole body, but never more than the limit, however it is framed. Throws a Problem: 413, or 400 if
 * the body is incomplete.
 */
async function readBytes(request: Request): Promise<Uint8Array> {
  const declared = request.headers.get('content-length')
  if (Number(declared) > maxBodyBytes) throw new Problem('payload_too_large')
  try {
    return declared === null ? await readChunks(request) : new Uint8Array(await request.arrayBuffer())
  } catch (error) {
    if (error instanceof Problem) throw error
    // The caller disconnected, was too slow or broke the framing. This is not our fault, so it is not logged.
    throw new Problem('bad_request', 'The body is incomplete. Send it again.')
  }
}

async function readChunks({ body, signal }: Request): Promise<Uint8Array> {
  if (body === null) return new Uint8Array()
  const reader = body.getReader()
  const chunks: Uint8Array[] = []
  let size = 0
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    chunks.push(read.value)
    size += read.value.length
    if (size > maxBodyBytes) {
      // Not awaited: the promise would wait for the rest of the body, which Bun discards.
      reader.cancel().catch(() => {})
      throw new Problem('payload_too_large')
    }
  }
  // Bun ends the stream at the last chunk, before it reads any bytes after it. It reads those that arrived
  // with that chunk in the next turn of the event loop, and answers garbage with 400 by itself.
  await new Promise(setImmediate)
  signal.throwIfAborted()
  return Buffer.concat(chunks)
}
