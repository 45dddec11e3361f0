import { readFileSync } from 'node:fs'
import regularPath from '@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf' with { type: 'file' }
import boldPath from '@expo-google-fonts/inter/700Bold/Inter_700Bold.ttf' with { type: 'file' }

/** The advance widths of the characters of a font, in ems, by code point. */
type Advances = ReadonlyMap<number, number>

/** Reads a TrueType file with a character map of format 12, as Inter's are. */
function readAdvances(file: Uint8Array): Advances {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength)
  const tables = tablesOf(view)
  const tableAt = (tag: string) => tables.get(tag) ?? missing(tag)
  const unitsPerEm = view.getUint16(tableAt('head') + 18)
  const lastAdvance = view.getUint16(tableAt('hhea') + 34) - 1
  const metrics = tableAt('hmtx')
  const groups = groupsAt(view, tableAt('cmap'))
  const advances = new Map<number, number>()
  // A group is consecutive characters with consecutive glyphs.
  for (let n = 0; n < view.getUint32(groups + 12); n += 1) {
    const group = groups + 16 + 12 * n
    const first = view.getUint32(group)
    const toGlyph = view.getUint32(group + 8) - first
    for (let character = first; character <= view.getUint32(group + 4); character += 1) {
      // All glyphs after the last advance share it.
      const advance = view.getUint16(metrics + 4 * Math.min(character + toGlyph, lastAdvance))
      advances.set(character, advance / unitsPerEm)
    }
  }
  return advances
}

function tablesOf(view: DataView): ReadonlyMap<string, number> {
  const count = view.getUint16(4)
  return new Map(
    Array.from({ length: count }, (_, n) => {
      const record = 12 + 16 * n
      const tag = [0, 1, 2, 3].map((byte) => String.fromCharCode(view.getUint8(record + byte))).join('')
      return [tag, view.getUint32(record + 8)]
    }),
  )
}

/** The place of the subtable of format 12 in a character map. */
function groupsAt(view: DataView, map: number): number {
  for (let n = 0; n < view.getUint16(map + 2); n += 1) {
    const subtable = map + view.getUint32(map + 8 + 8 * n)
    if (view.getUint16(subtable) === 12) return subtable
  }
  return missing('cmap 12')
}

function missing(table: string): never {
  throw new Error(`The font has no table ${table}`)
}

export const family = 'Inter'

/** The weights of Inter that pictures use, by their numbers in CSS. */
export type Weight = 400 | 700

const paths: Readonly<Record<Weight, string>> = { 400: regularPath, 700: boldPath }

/** The files of all weights. */
export function fontFiles(): Uint8Array[] {
  return Object.values(paths).map((path) => readFileSync(path))
}

const fonts = new Map<Weight, Advances>()

/** The advance width of a character of Inter in ems; undefined if Inter has no glyph for it. */
export function advanceOf(character: string, weight: Weight): number | undefined {
  const font = fonts.get(weight) ?? readAdvances(readFileSync(paths[weight]))
  fonts.set(weight, font)
  return font.get(character.codePointAt(0) ?? 0)
}
