import type { Queries } from '../../database/db.ts'
import { inOurMigrations, onlyAdd, seenMigrations } from '../../database/migrations.ts'
import { type DumpHeader, dumpFormat, dumpVersion } from './format.ts'

/** A dump that cannot be restored here. The message completes "the dump is refused: …". */
export class DumpRefused extends Error {}

/** What to do about a row that cannot be restored. */
export const rowAdvice =
  'restore another dump, or correct that row in the database that was dumped, and dump it again'

/** The database has rows already. */
export class NotEmpty extends DumpRefused {}

/** No row of ours has more characters than this. */
const longestLine = 4_000_000

/** The lines of a gzipped text, without their ends. Throws DumpRefused if it is cut or not such a text. */
async function* linesOfDump(bytes: ReadableStream<Uint8Array>): AsyncGenerator<string, void> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  let rest = ''
  for await (const chunk of unzipped(bytes)) {
    const [first = '', ...others] = decoded(decoder, chunk).split('\n')
    rest += first
    for (const next of others) {
      yield rest
      rest = next
    }
    if (rest.length > longestLine) throw new DumpRefused('it has a line that is not a row of Shipfeed')
  }
  if (rest !== '') throw new DumpRefused('it is cut off')
}

async function* unzipped(bytes: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  const gunzip = new DecompressionStream('gzip') as TransformStream<Uint8Array, Uint8Array>
  try {
    yield* bytes.pipeThrough(withoutPreface()).pipeThrough(gunzip)
  } catch (error) {
    // The streams throw a TypeError for a file that is cut or altered.
    if (error instanceof TypeError)
      throw new DumpRefused(`it is cut, altered or not a dump (${error.message})`)
    throw error
  }
}

/** How many bytes may precede the gzip: npm writes two lines before the dump of `npm start -- dump`. */
export const longestPreface = 65_536

/** Drops everything before the first gzip header. */
function withoutPreface(): TransformStream<Uint8Array, Uint8Array> {
  let held: Uint8Array | null = new Uint8Array()
  return new TransformStream({
    transform(chunk, controller) {
      if (held === null) return controller.enqueue(chunk)
      held = Buffer.concat([held, chunk])
      const start = gzipStart(held)
      if (start > longestPreface || (start < 0 && held.length > longestPreface + headerBytes)) throw noGzip()
      if (start < 0) return
      controller.enqueue(held.subarray(start))
      held = null
    },
    flush() {
      if (held !== null) throw noGzip()
    },
  })
}

const headerBytes = 4

/** Where a gzip header begins: its magic number, its only method and no reserved flags (RFC 1952). */
function gzipStart(bytes: Uint8Array): number {
  return bytes.findIndex((byte, at) => {
    const [second, method, flags = 0xff] = bytes.subarray(at + 1, at + headerBytes)
    return byte === 0x1f && second === 0x8b && method === 8 && (flags & 0xe0) === 0
  })
}

function noGzip(): DumpRefused {
  return new DumpRefused('it is cut, altered or not a dump (it has no gzip data)')
}

function decoded(decoder: TextDecoder, chunk: Uint8Array): string {
  try {
    return decoder.decode(chunk, { stream: true })
  } catch {
    throw new DumpRefused('it is not UTF-8')
  }
}

const rowsAtOnce = 500

/** The text of a row, and the number of its line. */
export type DumpedRow = { readonly line: number; readonly text: string }

export type DumpReader = ReturnType<typeof openDump>

/** Opens a gzipped dump, to read it line by line. Throws DumpRefused if a line is missing. */
export function openDump(bytes: ReadableStream<Uint8Array>) {
  const lines = linesOfDump(bytes)
  const rows: Record<string, number> = {}
  const sum = new Bun.CryptoHasher('sha256')
  let line = 0

  return {
    /** By table. */
    rows: rows as Readonly<Record<string, number>>,
    /** A line that is not a row. Its content is checked where it is used. */
    async read<Line extends object>(): Promise<Partial<Line>> {
      const text = await next()
      try {
        return Object(JSON.parse(text))
      } catch {
        throw new DumpRefused('it was altered')
      }
    },
    async *rowsOf(table: string): AsyncGenerator<readonly DumpedRow[], void> {
      let total = 0
      let chunk: DumpedRow[] = []
      for (let text = await next(); text !== ''; text = await next()) {
        chunk.push({ line, text })
        total += 1
        if (chunk.length < rowsAtOnce) continue
        yield chunk
        chunk = []
      }
      if (chunk.length > 0) yield chunk
      rows[table] = total
    },
    /** Of everything read so far. */
    sum: () => sum.copy().digest('hex'),
    isAtEnd: async () => (await lines.next()).done === true,
  }

  async function next(): Promise<string> {
    const { value } = await lines.next()
    if (value === undefined) throw new DumpRefused('it is cut off')
    sum.update(`${value}\n`)
    line += 1
    return value
  }
}

/** Throws DumpRefused unless this database has the schema of a dump, or a newer schema that only adds to it. */
export async function refuseForeign(queries: Queries, header: Partial<DumpHeader>): Promise<void> {
  if (header.format !== dumpFormat) throw new DumpRefused('it is not a dump of Shipfeed')
  const listed = header.migrations ?? []
  const isList = Array.isArray(listed) && listed.every((hash) => typeof hash === 'string')
  if (!isList) throw new DumpRefused('it was altered: its header does not list migrations')
  const dumped = inOurMigrations(listed)
  if (dumped === null) {
    throw new DumpRefused(
      'it was made before Shipfeed 1.0.0: restore it with version 1.0.0, and then start this version on that database, which upgrades it',
    )
  }
  const seen = await seenMigrations(queries)
  const isNewer = header.version !== dumpVersion || dumped.some((hash, n) => hash !== seen[n])
  if (isNewer)
    throw new DumpRefused('it was made by a newer Shipfeed: install that version, and restore it there')
  if (!onlyAdd(seen.slice(dumped.length))) {
    throw new DumpRefused(
      'it was made by an older Shipfeed, and the tables have changed since: restore it with that version, and then start this version on that database, which upgrades it',
    )
  }
}
