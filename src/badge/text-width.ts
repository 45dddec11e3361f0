/** Advance widths of Verdana at 11 px, for the characters that a badge can contain. */
const advances: ReadonlyMap<string, number> = new Map([
  ...inTurn(
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ',
    [
      7.52, 7.54, 7.68, 8.48, 6.96, 6.32, 8.53, 8.27, 4.63, 5, 7.62, 6.12, 9.27, 8.23, 8.66, 6.63, 8.66, 7.65,
      7.52, 6.78, 8.05, 7.52, 10.88, 7.54, 6.77, 7.54,
    ],
  ),
  ...inTurn(
    'abcdefghijklmnopqrstuvwxyz',
    [
      6.61, 6.85, 5.73, 6.85, 6.55, 3.87, 6.85, 6.96, 3.02, 3.79, 6.51, 3.02, 10.7, 6.96, 6.68, 6.85, 6.85,
      4.69, 5.73, 4.33, 6.96, 6.51, 9, 6.51, 6.51, 5.78,
    ],
  ),
  ...inTurn('0123456789', Array(10).fill(6.99)),
  ...inTurn('_ .:/+-…', [6.99, 3.87, 4, 5, 5, 9, 5, 9]),
])

function inTurn(characters: string, widths: readonly number[]): (readonly [string, number])[] {
  return widths.map((width, n) => [characters.charAt(n), width])
}

/** The width of a text in Verdana at 11 px, in pixels, to a tenth. Throws for a character without a width. */
export function textWidth(text: string): number {
  let width = 0
  for (const letter of text) {
    const advance = advances.get(letter)
    if (advance === undefined) throw new Error(`The width of "${letter}" is not in the table`)
    width += advance
  }
  return Math.round(width * 10) / 10
}
