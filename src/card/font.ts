/** What text is measured by. */
export type Font = {
  /** How far a character moves the next one, in ems; undefined if the font has no glyph for it. */
  advanceOf(character: string): number | undefined
}

/** Reads the advance widths of a TrueType file with a character map of format 12, as Inter's are. */
export function readFont(file: Uint8Array): Font {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength)
  const tables = tablesOf(view)
  const tableAt = (tag: string) => tables.get(tag) ?? missing(tag)
  const unitsPerEm = view.getUint16(tableAt('head') + 18)
  const advances = view.getUint16(tableAt('hhea') + 34)
  const metrics = tableAt('hmtx')
  const groups = groupsOf(view, tableAt('cmap'))

  return {
    advanceOf(character) {
      const code = character.codePointAt(0) ?? 0
      const group = groups.find(({ first, last }) => first <= code && code <= last)
      if (group === undefined) return undefined
      const glyph = group.glyph + code - group.first
      // The glyphs after the last advance have that one, too.
      return view.getUint16(metrics + 4 * Math.min(glyph, advances - 1)) / unitsPerEm
    },
  }
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

/** Characters in a row whose glyphs are in a row. */
type Group = { readonly first: number; readonly last: number; readonly glyph: number }

function groupsOf(view: DataView, map: number): readonly Group[] {
  const subtables = Array.from(
    { length: view.getUint16(map + 2) },
    (_, n) => map + view.getUint32(map + 8 + 8 * n),
  )
  const all = subtables.find((subtable) => view.getUint16(subtable) === 12) ?? missing('cmap 12')
  return Array.from({ length: view.getUint32(all + 12) }, (_, n) => {
    const group = all + 16 + 12 * n
    return {
      first: view.getUint32(group),
      last: view.getUint32(group + 4),
      glyph: view.getUint32(group + 8),
    }
  })
}

function missing(table: string): never {
  throw new Error(`The font has no table ${table}`)
}
