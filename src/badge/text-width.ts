/** Advance widths of Verdana at 11 px, for the characters that a badge can contain. */
const advances: Readonly<Record<string, number>> = {
  A: 7.52,
  B: 7.54,
  C: 7.68,
  D: 8.48,
  E: 6.96,
  F: 6.32,
  G: 8.53,
  H: 8.27,
  I: 4.63,
  J: 5,
  K: 7.62,
  L: 6.12,
  M: 9.27,
  N: 8.23,
  O: 8.66,
  P: 6.63,
  Q: 8.66,
  R: 7.65,
  S: 7.52,
  T: 6.78,
  U: 8.05,
  V: 7.52,
  W: 10.88,
  X: 7.54,
  Y: 6.77,
  Z: 7.54,
  a: 6.61,
  b: 6.85,
  c: 5.73,
  d: 6.85,
  e: 6.55,
  f: 3.87,
  g: 6.85,
  h: 6.96,
  i: 3.02,
  j: 3.79,
  k: 6.51,
  l: 3.02,
  m: 10.7,
  n: 6.96,
  o: 6.68,
  p: 6.85,
  q: 6.85,
  r: 4.69,
  s: 5.73,
  t: 4.33,
  u: 6.96,
  v: 6.51,
  w: 9,
  x: 6.51,
  y: 6.51,
  z: 5.78,
  ...Object.fromEntries([...'0123456789'].map((digit) => [digit, 6.99])),
  _: 6.99,
  ' ': 3.87,
  '.': 4,
  ':': 5,
  '/': 5,
  '+': 9,
  '-': 5,
}

/** The width of a text in Verdana at 11 px, in pixels, to a tenth. Throws for a character without a width. */
export function textWidth(text: string): number {
  let width = 0
  for (const letter of text) width += advanceOf(letter)
  return Math.round(width * 10) / 10
}

function advanceOf(letter: string): number {
  const advance = advances[letter]
  if (advance === undefined) throw new Error(`The width of "${letter}" is not in the table`)
  return advance
}
