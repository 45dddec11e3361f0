import { writeDump } from '../../../src/capabilities/backups/write.ts'
import type { Db } from '../../../src/database/db.ts'
import { tables } from '../../../src/table-uses.ts'

/** A whole dump, as a file holds it. */
export async function dumpOf(db: Db): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  await writeDump(db, tables, async (chunk) => void chunks.push(chunk))
  return Uint8Array.from(Buffer.concat(chunks))
}

/** What is in a dump, line by line. */
export function linesOf(bytes: Uint8Array<ArrayBuffer>): string[] {
  return Buffer.from(Bun.gunzipSync(bytes)).toString().trimEnd().split('\n')
}

/** A dump of these lines. */
export function fileOf(lines: readonly string[]): Uint8Array<ArrayBuffer> {
  return Bun.gzipSync(`${lines.join('\n')}\n`)
}

/** A file's bytes, as they are read. */
export function streamOf(bytes: Uint8Array<ArrayBuffer>): ReadableStream<Uint8Array> {
  return new Blob([bytes]).stream()
}

/** A database that is closed where a test which says `await using` ends. */
export async function opened(opening: Promise<Db>): Promise<{ db: Db } & AsyncDisposable> {
  const db = await opening
  return { db, [Symbol.asyncDispose]: db.close }
}
