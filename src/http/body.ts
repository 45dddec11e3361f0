import { fileField, isObject, notAnObject, repeatedField } from '../domain/field-parsing.ts'
import { tooLargeAdvice } from '../domain/problems.ts'
import { Problem } from './problem.ts'

/** The largest body, unless a route sets another limit. */
export const maxBodyBytes = 64 * 1024

export type Fields = Readonly<Record<string, unknown>>

const readers = {
  'application/json': readJson,
  'application/x-www-form-urlencoded': readUrlEncoded,
  'multipart/form-data': readMultipart,
} as const

/**
 * Reads the fields of a JSON or form body. A repeated form field, a file, and JSON that is not an object become
 * markers, which validation refuses. Throws a Problem: 415, 413 or 400, checked in this order.
 */
export async function readFields(request: Request): Promise<Fields> {
  const contentType = request.headers.get('content-type') ?? ''
  const read = readerOf(contentType)
  if (read === null || isEncoded(request)) throw new Problem('unsupported_media_type')
  return await read(await readBytes(request), contentType)
}

/** Reads the named fields of a browser's form. A field that is missing, repeated or a file becomes ''. */
export async function readForm<Name extends string>(
  request: Request,
  names: readonly Name[],
): Promise<Record<Name, string>> {
  const fields = await readFields(request)
  const entries = names.map((name) => [name, typeof fields[name] === 'string' ? fields[name] : ''])
  return Object.fromEntries(entries) as Record<Name, string>
}

/** Reads a JSON array, or the lines of `application/x-ndjson`. Null for other JSON. Throws as readFields does. */
export async function readValues(request: Request, maxBytes: number): Promise<readonly unknown[] | null> {
  const contentType = request.headers.get('content-type') ?? ''
  const isLines = mediaTypeOf(contentType) === 'application/x-ndjson'
  const isReadable = isLines ? isUtf8(contentType) : readerOf(contentType) === readJson
  if (!isReadable || isEncoded(request)) {
    throw new Problem(
      'unsupported_media_type',
      'Send application/json or application/x-ndjson, uncompressed and in UTF-8.',
    )
  }
  const text = decode(await readBytes(request, maxBytes))
  if (!isLines) {
    const value = parsed(text, brokenJson)
    return Array.isArray(value) ? value : null
  }
  return text
    .split('\n')
    .flatMap((line, n) =>
      line.trim() === '' ? [] : [parsed(line, `Line ${n + 1} is not JSON. Nothing was recorded.`)],
    )
}

/** The field `payload` of a URL-encoded form, where forges may put JSON; null in any other body. */
export function payloadInForm(bytes: Uint8Array, contentType: string): string | null {
  if (readerOf(contentType) !== readUrlEncoded) return null
  return new URLSearchParams(new TextDecoder().decode(bytes)).get('payload')
}

/** Reads a JSON body. Throws a Problem: 415 or 400. */
export function readJsonValue(bytes: Uint8Array, contentType: string): unknown {
  if (readerOf(contentType) !== readJson) {
    throw new Problem('unsupported_media_type', 'Send application/json, uncompressed and in UTF-8.')
  }
  return parsed(decode(bytes), brokenJson)
}

/** For callers that a form would not help. The usual advice for broken JSON suggests a form as well. */
const brokenJson = 'The body is not valid JSON. Check its quotes and line breaks.'

function parsed(text: string, advice?: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    throw new Problem('bad_request', advice)
  }
}

/** The media type in a Content-Type, in lower case and without parameters. */
export function mediaTypeOf(contentType: string): string {
  return (contentType.toLowerCase().split(';')[0] ?? '').trim()
}

function readerOf(contentType: string): (typeof readers)[keyof typeof readers] | null {
  if (!isUtf8(contentType)) return null
  const mediaType = mediaTypeOf(contentType)
  if (/^application\/[^\s/]+\+json$/.test(mediaType)) return readJson
  return Object.hasOwn(readers, mediaType) ? readers[mediaType as keyof typeof readers] : null
}

function isUtf8(contentType: string): boolean {
  const [, charset = 'utf-8'] = /;\s*charset=([^;]*)/i.exec(contentType) ?? []
  return /^"?(utf-?8|us-ascii)"?$/i.test(charset.trim())
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

function readJson(bytes: Uint8Array): Fields {
  if (bytes.length === 0) return {}
  const value = parsed(decode(bytes))
  return isObject(value) ? value : { [notAnObject]: true }
}

/** Refuses invalid escapes: URLSearchParams would keep or replace them, but a message is echoed byte for byte. */
function readUrlEncoded(bytes: Uint8Array): Fields {
  const text = decode(bytes)
  try {
    decodeURIComponent(text)
  } catch {
    throw new Problem(
      'bad_request',
      'A form field has an invalid percent escape. Write % as %25. With curl, use --data-urlencode "message=…".',
    )
  }
  // The leading & makes URLSearchParams keep a question mark at the beginning of the text.
  return fieldsOf(new URLSearchParams(`&${text}`))
}

/**
 * The parser would replace invalid UTF-8 and drop a BOM, so it is given each byte as one Latin-1 character, and the
 * UTF-8 is decoded afterwards.
 */
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

/** Reads a body of at most `max` bytes. Throws a Problem: 413 if it is larger, 400 if it is incomplete. */
export async function readBytes(request: Request, max = maxBodyBytes): Promise<Uint8Array> {
  const declared = request.headers.get('content-length')
  const tooLarge = () => new Problem('payload_too_large', tooLargeAdvice(max))
  if (Number(declared) > max) throw tooLarge()
  try {
    if (declared !== null) return new Uint8Array(await request.arrayBuffer())
    const bytes = await readChunks(request, max)
    if (bytes !== null) return bytes
  } catch {
    // The caller disconnected, was too slow, or sent broken chunks, which is no fault of this server.
    throw new Problem('bad_request', 'The body is incomplete. Send it again.')
  }
  throw tooLarge()
}

/** Null for more than `max` bytes. */
async function readChunks({ body, signal }: Request, max: number): Promise<Uint8Array | null> {
  if (body === null) return new Uint8Array()
  const reader = body.getReader()
  const chunks: Uint8Array[] = []
  let size = 0
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    chunks.push(read.value)
    size += read.value.length
    if (size > max) {
      // Not awaited, because the promise waits for the rest of the body, which Bun discards.
      reader.cancel().catch(() => {})
      return null
    }
  }
  // In the next turn of the event loop, Bun reads what follows the last chunk. If that is not HTTP, Bun answers 400 by
  // itself and aborts this request.
  await new Promise(setImmediate)
  signal.throwIfAborted()
  return Buffer.concat(chunks)
}
