/** Advance widths of Verdana at 11 px, for the letters of the badges' own words. */
const advances: Readonly<Record<string, number>> = {
  A: 7.52,
  F: 6.32,
  I: 4.63,
  Q: 8.66,
  S: 7.52,
  W: 10.88,
  a: 6.61,
  b: 6.85,
  c: 5.73,
  d: 6.85,
  e: 6.55,
  h: 6.96,
  i: 3.02,
  k: 6.51,
  l: 3.02,
  m: 10.7,
  n: 6.96,
  o: 6.68,
  p: 6.85,
  r: 4.69,
  s: 5.73,
  t: 4.33,
  u: 6.96,
  v: 6.51,
  w: 9,
  y: 6.51,
}

/** The width of a word in Verdana at 11 px, in pixels, to a tenth. Throws for a letter without a width. */
export function textWidth(word: string): number {
  const width = [...word].reduce((sum, letter) => sum + advanceOf(letter), 0)
  return Math.round(width * 10) / 10
}

function advanceOf(letter: string): number {
  const advance = advances[letter]
  if (advance === undefined) throw new Error(`The width of "${letter}" is not in the table`)
  return advance
}
