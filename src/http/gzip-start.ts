import { constants, crc32, deflateRawSync } from 'node:zlib'

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
