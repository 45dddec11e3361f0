import { labelGround, textOnGround, textOnPage, usualLabel } from './status.ts'

export const badgeStyles = ['standard', 'square', 'dot'] as const
export type BadgeStyle = (typeof badgeStyles)[number]

/** How each style draws the content of a badge. */
export const drawings: Readonly<Record<BadgeStyle, (face: Face) => Drawing>> = {
  standard: (face) => twoParts(face, roundedGrounds),
  square: (face) => twoParts(face, sharpGrounds),
  dot,
}

export type Face = { readonly label: string; readonly word: string; readonly colour: string }

/** The result of a style: elements on a canvas of `width` by `height` pixels. */
type Drawing = { readonly width: number; readonly elements: readonly string[] }

export type Template = (nameEnd: string) => string

const height = 20
const baseline = 14

/**
 * A whole document without the end of its accessible name, which is also its tooltip. Nothing is escaped:
 * names consist of our own words and of characters that XML does not interpret.
 */
export function templateOf({ width, elements }: Drawing, nameStart: string): Template {
  const open = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="Verdana,Geneva,DejaVu Sans,sans-serif" font-size="11" text-rendering="geometricPrecision" role="img" aria-label="${nameStart}`
  const title = `">\n  <title>${nameStart}`
  const close = `</title>\n${elements.map((element) => `  ${element}\n`).join('')}</svg>\n`
  return (nameEnd) => open + nameEnd + title + nameEnd + close
}

/** A word of the badge, stretched to its width in Verdana whatever the font is. */
function textElement(word: string, { x, fill, anchor }: Placing): string {
  return `<text x="${x}" y="${baseline}" textLength="${textWidth(word)}" text-anchor="${anchor}" fill="${fill}">${word}</text>`
}

type Placing = { readonly x: number; readonly fill: string; readonly anchor: 'start' | 'middle' }

const padding = 6
const cornerRadius = 3

/** The backgrounds of the two words: the label's from 0 to `seam`, the state's from `seam` to `width`. */
type Grounds = { readonly seam: number; readonly width: number; readonly colour: string }

function twoParts({ label, word, colour }: Face, drawGrounds: (grounds: Grounds) => string[]): Drawing {
  const seam = partWidth(label)
  const width = seam + partWidth(word)
  return {
    width,
    elements: [
      ...drawGrounds({ seam, width, colour }),
      textElement(label, { x: seam / 2, fill: textOnGround, anchor: 'middle' }),
      textElement(word, { x: (seam + width) / 2, fill: textOnGround, anchor: 'middle' }),
    ],
  }
}

/** Whole pixels, so that the seam is sharp. */
function partWidth(word: string): number {
  return Math.round(textWidth(word)) + 2 * padding
}

/**
 * A clipPath would need an id, and ids collide when badges share a page. So the state rounds its own two
 * corners, and covers the label's right corners.
 */
function roundedGrounds({ seam, width, colour }: Grounds): string[] {
  const rightCorners = `a${cornerRadius} ${cornerRadius} 0 0 1 ${cornerRadius} ${cornerRadius}V${height - cornerRadius}a${cornerRadius} ${cornerRadius} 0 0 1 -${cornerRadius} ${cornerRadius}`
  return [
    `<rect width="${seam + cornerRadius}" height="${height}" rx="${cornerRadius}" fill="${labelGround}"/>`,
    `<path d="M${seam} 0H${width - cornerRadius}${rightCorners}H${seam}z" fill="${colour}"/>`,
  ]
}

function sharpGrounds({ seam, width, colour }: Grounds): string[] {
  return [
    `<rect width="${seam}" height="${height}" shape-rendering="crispEdges" fill="${labelGround}"/>`,
    `<rect x="${seam}" width="${width - seam}" height="${height}" shape-rendering="crispEdges" fill="${colour}"/>`,
  ]
}

const dotRadius = 5
const gap = 5

/** The dot style: a dot and a word on a transparent background, with the label only if it is a custom one. */
function dot({ label, word, colour }: Face): Drawing {
  const text = label === usualLabel ? word : `${label}: ${word}`
  const textStart = 2 * dotRadius + gap
  return {
    width: textStart + Math.ceil(textWidth(text)),
    elements: [
      `<circle cx="${dotRadius}" cy="${height / 2}" r="${dotRadius}" fill="${colour}"/>`,
      textElement(text, { x: textStart, fill: textOnPage, anchor: 'start' }),
    ],
  }
}

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
  ...inTurn('_ .:/+-', [6.99, 3.87, 4, 5, 5, 9, 5]),
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
