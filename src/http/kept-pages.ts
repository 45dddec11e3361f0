import { constants, crc32, deflateRawSync } from 'node:zlib'

/** A page whose start is compressed already. The ETag is that of the start. */
export type StartedPage = { readonly start: GzipStart; readonly etag: string }

/** A page as it is kept: without its end, which depends on the request. */
export type KeptPage = StartedPage & {
  /** What the page was drawn from: see data/pages/page-versions.ts. */
  readonly version: string
  /** Drawn at any time from `from` until `until`, by the database's clock, the page would say the same. */
  readonly from: Date
  readonly until: Date
}

/** What a page takes beyond its compressed bytes: objects, its key and its version. */
const bytesBeyond = 1024

/** Pages by their keys, of at most this many bytes in all. The least recently used ones go first. */
export class KeptPages {
  private readonly pages = new Map<string, KeptPage>()
  private bytes = 0

  constructor(private readonly mostBytes = 16 * 1024 * 1024) {}

  /** The page with this key, even if it no longer holds. */
  find(key: string): KeptPage | undefined {
    const page = this.pages.get(key)
    if (page === undefined) return undefined
    // A map keeps the order of insertion, so the page that was used last comes last.
    this.pages.delete(key)
    this.pages.set(key, page)
    return page
  }

  /** Keeps a page instead of the one with its key. */
  keep(key: string, page: KeptPage): void {
    this.forget(key)
    this.pages.set(key, page)
    this.bytes += bytesOf(page)
    for (const oldest of this.pages.keys()) {
      if (this.bytes <= this.mostBytes) break
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

/** Whether a page still says what one drawn now would say. */
export function holds(page: KeptPage, { version, now }: { version: string; now: Date }): boolean {
  return page.version === version && page.from <= now && now < page.until
}

/** The start of a text, compressed once, to be sent with any end. */
export type GzipStart = {
  /** The header of gzip and whole blocks, none of them the last one. */
  readonly bytes: Uint8Array
  readonly crc: number
  /** How many bytes the start has uncompressed. */
  readonly length: number
}

/** A header without a name or a time (RFC 1952, 2.3). */
const header = Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff)

/** Compresses the start of a text. zlib's level 2 compresses about as well as `fast` of responses.ts. */
export function startGzip(start: string): GzipStart {
  const text = Buffer.from(start)
  // A flush ends on a whole byte, where the end of the text can be put.
  const blocks = deflateRawSync(text, { level: 2, finishFlush: constants.Z_SYNC_FLUSH })
  // A copy of exactly this size, because the blocks may be a part of a larger buffer.
  const bytes = new Uint8Array(header.length + blocks.length)
  bytes.set(header)
  bytes.set(blocks, header.length)
  return { bytes, crc: crc32(text), length: text.length }
}

/** Adds the end of the text as it is, in a stored block (RFC 1951, 3.2.4): at most 64 KB. */
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
