import { constants, crc32, deflateRawSync } from 'node:zlib'

/** The compressed start of a page, and the ETag of that start. */
export type StartedPage = { readonly start: GzipStart; readonly etag: string }

/** A page without its end, which depends on the time of the request. */
export type KeptPage = StartedPage & {
  /** The version of the data in the page (data/pages/page-versions.ts). */
  readonly version: string
  /** The page is valid from `from` until `until`, by the database's clock, while its `version` is unchanged. */
  readonly from: Date
  readonly until: Date
}

/** About how much memory a page takes in addition to its compressed bytes. */
const bytesBeyond = 1024

/** Keeps pages by key in at most `maxBytes` of memory, and drops the least recently used ones. */
export class KeptPages {
  private readonly pages = new Map<string, KeptPage>()
  private bytes = 0

  constructor(private readonly maxBytes = 16 * 1024 * 1024) {}

  /** The page with this key, even if it is out of date (see `holds`). */
  find(key: string): KeptPage | undefined {
    const page = this.pages.get(key)
    if (page === undefined) return undefined
    // A Map keeps the order of insertion, so the page becomes the last one to be dropped.
    this.pages.delete(key)
    this.pages.set(key, page)
    return page
  }

  keep(key: string, page: KeptPage): void {
    this.forget(key)
    this.pages.set(key, page)
    this.bytes += bytesOf(page)
    for (const oldest of this.pages.keys()) {
      if (this.bytes <= this.maxBytes) break
      this.forget(oldest)
    }
  }

  forget(key: string): void {
    const page = this.pages.get(key)
    if (page === undefined) return
    this.pages.delete(key)
    this.bytes -= bytesOf(page)
  }
}

function bytesOf({ start }: KeptPage): number {
  return start.bytes.length + bytesBeyond
}

export function holds(page: KeptPage, { version, now }: { version: string; now: Date }): boolean {
  return page.version === version && page.from <= now && now < page.until
}

/** The start of a text, compressed once, for `endGzip` to complete. */
type GzipStart = {
  /** The gzip header and complete deflate blocks, none of them marked as the last one. */
  readonly bytes: Uint8Array
  readonly crc: number
  /** In bytes, uncompressed. */
  readonly length: number
}

/** A gzip header without a file name or a time (RFC 1952, 2.3). */
const header = Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff)

/** Compresses the start of a text. zlib's level 2 compresses about as well as the level `fast` in responses.ts. */
export function startGzip(start: string): GzipStart {
  const text = Buffer.from(start)
  // The flush fills up the last byte, so that another block can follow.
  const blocks = deflateRawSync(text, { level: 2, finishFlush: constants.Z_SYNC_FLUSH })
  // A copy of exactly this size: `blocks` may be part of a larger buffer, which would stay in memory.
  const bytes = new Uint8Array(header.length + blocks.length)
  bytes.set(header)
  bytes.set(blocks, header.length)
  return { bytes, crc: crc32(text), length: text.length }
}

/** Adds the end of the text without compressing it, in a stored block (RFC 1951, 3.2.4) of at most 65,535 bytes. */
export function endGzip({ bytes, crc, length }: GzipStart, end: string): Uint8Array<ArrayBuffer> {
  const text = Buffer.from(end)
  const whole = Buffer.allocUnsafeSlow(bytes.length + 5 + text.length + 8)
  whole.set(bytes)
  let at = whole.writeUInt8(1, bytes.length)
  at = whole.writeUInt16LE(text.length, at)
  at = whole.writeUInt16LE(0xffff - text.length, at)
  whole.set(text, at)
  at = whole.writeUInt32LE(crc32(text, crc), at + text.length)
  whole.writeUInt32LE((length + text.length) % 2 ** 32, at)
  return whole
}
