import { labelGround, textOnGround, textOnPage, usualLabel } from './status.ts'
import { textWidth } from './text-width.ts'

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
