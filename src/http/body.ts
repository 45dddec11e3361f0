import { fileField, repeatedField } from '../domain/field.ts'
import { readBytes } from './body-bytes.ts'
import { Problem } from './problem.ts'

export type Fields = Readonly<Record<string, unknown>>

/** The reader of each media type; a type that ends in +json is JSON too. */
const readers = {
  'application/json': readJson,
  'application/x-www-form-urlencoded': readUrlEncoded,
  'multipart/form-data': readMultipart,
} as const

/**
 * Reads the fields of a body of any form. Throws a Problem: 415, 413 or 400, in this order. A form field that
 * came twice or as a file gets a marker for its value, which validation refuses by name.
 */
export async function readFields(request: Request): Promise<Fields> {
  const contentType = request.headers.get('content-type') ?? ''
  const read = readerOf(contentType)
  if (read === null || isEncoded(request)) throw new Problem('unsupported_media_type')
  return await read(await readBytes(request), contentType)
}

/** The named text fields of a browser's form; empty if missing or no text. */
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

/** A body that is empty or no object has no fields, so validation names the required ones. */
function readJson(bytes: Uint8Array): Fields {
  if (bytes.length === 0) return {}
  const text = decode(bytes)
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}
  } catch {
    throw new Problem('bad_request')
  }
}

/** URLSearchParams would replace broken escapes, but a message is echoed byte for byte. */
function readUrlEncoded(bytes: Uint8Array): Fields {
  const text = decode(bytes)
  try {
    decodeURIComponent(text)
  } catch {
    throw new Problem(
      'bad_request',
      'A form field has a broken percent escape. Write % as %25, or let curl do it: --data-urlencode "message=…".',
    )
  }
  // The leading & keeps it from dropping a question mark at the beginning.
  return fieldsOf(new URLSearchParams(`&${text}`))
}

/** The parser would replace invalid UTF-8 and drop a BOM, so it gets each byte as one character. */
async function readMultipart(bytes: Uint8Array, contentType: string): Promise<Fields> {
  const form = await new Response(Buffer.from(bytes).toString('latin1'), {
    headers: { 'Content-Type': contentType },
  })
    .formData()
    .catch(() => {
      throw new Problem(
        'bad_request',
        'The multipart body cannot be read. Check its boundary and its line ends.',
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
