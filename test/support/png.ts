import { inflateSync } from 'node:zlib'

/** A decoded picture: its size, and the colour of each place as 0xrrggbb. */
export type Picture = { readonly width: number; readonly height: number; at(x: number, y: number): number }

/** Decodes a PNG of eight bits a channel, with or without alpha, not interlaced. Throws if it is anything else. */
export function decodePng(bytes: Uint8Array): Picture {
  const file = Buffer.from(bytes)
  if (file.toString('latin1', 1, 4) !== 'PNG') throw new Error('this is no PNG')
  const [width, height] = [file.readUInt32BE(16), file.readUInt32BE(20)]
  const channels = { '0802000000': 3, '0806000000': 4 }[file.toString('hex', 24, 29)]
  if (channels === undefined) throw new Error('this PNG is not 8-bit RGB or RGBA without interlacing')
  const data: Buffer[] = []
  for (let at = 8; at < file.length; at += 12 + file.readUInt32BE(at)) {
    if (file.toString('latin1', at + 4, at + 8) === 'IDAT')
      data.push(file.subarray(at + 8, at + 8 + file.readUInt32BE(at)))
  }
  const pixels = unfiltered(inflateSync(Buffer.concat(data)), { stride: width * channels, height, channels })
  return { width, height, at: (x, y) => pixels.readUIntBE((y * width + x) * channels, 3) }
}

type Layout = { readonly stride: number; readonly height: number; readonly channels: number }

/** PNG's filters undone: each byte was stored as its difference to those before and above it. */
function unfiltered(raw: Buffer, { stride, height, channels }: Layout): Buffer {
  const pixels = Buffer.alloc(stride * height)
  const at = (x: number, y: number) => (x < 0 || y < 0 ? 0 : (pixels[y * stride + x] ?? 0))
  for (let y = 0; y < height; y += 1) {
    const filter = raw[y * (stride + 1)]
    for (let x = 0; x < stride; x += 1) {
      const [left, up, corner] = [at(x - channels, y), at(x, y - 1), at(x - channels, y - 1)]
      const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter ?? 0] ?? 0
      pixels[y * stride + x] = (raw[y * (stride + 1) + 1 + x] ?? 0) + guess
    }
  }
  return pixels
}

function paeth(left: number, up: number, corner: number): number {
  const guess = left + up - corner
  const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)]
  if (a <= b && a <= c) return left
  return b <= c ? up : corner
}
