import { defaultLabel, labelGround, labelOfSeveral, textOnGround, textOnPage } from './status.ts'
import { textWidth } from './text-width.ts'

export const badgeStyles = ['standard', 'square', 'dot'] as const
export type BadgeStyle = (typeof badgeStyles)[number]

/** How each style draws the content of a badge. */
export const drawings: Readonly<Record<BadgeStyle, (face: Face) => Drawing>> = {
  standard: (face) => inARow(partsOfFace(face), roundedGround),
  square: (face) => inARow(partsOfFace(face), sharpGround),
  dot,
}

/** How each style draws several faces in a row. The label is drawn only if it is a custom one. */
export const drawingsOfSeveral: Readonly<Record<BadgeStyle, (row: Row) => Drawing>> = {
  standard: (row) => inARow(partsOf(row), roundedGround),
  square: (row) => inARow(partsOf(row), sharpGround),
  dot: dots,
}

export type Face = { readonly label: string; readonly word: string; readonly colour: string }

/** Faces under one label, and what is said of those that are left out, if any. */
type Row = { readonly label: string; readonly faces: readonly Face[]; readonly rest: string | null }

/** The result of a style: elements on a canvas of `width` by `height` pixels. */
export type Drawing = { readonly width: number; readonly elements: readonly string[] }

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

/** A word on a background of its own. */
type Part = { readonly word: string; readonly colour: string }

/** The background of a part: where it is, and whether it is the first or the last of its badge. */
type Ground = {
  readonly start: number
  readonly end: number
  readonly colour: string
  readonly isFirst: boolean
  readonly isLast: boolean
}

function partsOfFace({ label, word, colour }: Face): Part[] {
  return [
    { word: label, colour: labelGround },
    { word, colour },
  ]
}

function partsOf({ label, faces, rest }: Row): Part[] {
  return [
    ...(label === defaultLabel ? [] : [{ word: label, colour: labelOfSeveral }]),
    ...faces.flatMap(partsOfFace),
    ...(rest === null ? [] : [{ word: rest, colour: labelGround }]),
  ]
}

function inARow(parts: readonly Part[], drawGround: (ground: Ground) => string): Drawing {
  const grounds: string[] = []
  const words: string[] = []
  let start = 0
  parts.forEach(({ word, colour }, n) => {
    const end = start + partWidth(word)
    grounds.push(drawGround({ start, end, colour, isFirst: n === 0, isLast: n === parts.length - 1 }))
    words.push(textElement(word, { x: (start + end) / 2, fill: textOnGround, anchor: 'middle' }))
    start = end
  })
  return { width: start, elements: grounds.concat(words) }
}

/** Whole pixels, so that the seam is sharp. */
function partWidth(word: string): number {
  return Math.round(textWidth(word)) + 2 * padding
}

/**
 * A clipPath would need an id, and ids collide when badges share a page. So the last part rounds its own two corners,
 * and the second covers the right corners of the first.
 */
function roundedGround({ start, end, colour, isFirst, isLast }: Ground): string {
  if (isFirst)
    return `<rect width="${end + cornerRadius}" height="${height}" rx="${cornerRadius}" fill="${colour}"/>`
  if (!isLast) return `<path d="M${start} 0H${end}V${height}H${start}z" fill="${colour}"/>`
  const rightCorners = `a${cornerRadius} ${cornerRadius} 0 0 1 ${cornerRadius} ${cornerRadius}V${height - cornerRadius}a${cornerRadius} ${cornerRadius} 0 0 1 -${cornerRadius} ${cornerRadius}`
  return `<path d="M${start} 0H${end - cornerRadius}${rightCorners}H${start}z" fill="${colour}"/>`
}

function sharpGround({ start, end, colour, isFirst }: Ground): string {
  const at = isFirst ? '' : `x="${start}" `
  return `<rect ${at}width="${end - start}" height="${height}" shape-rendering="crispEdges" fill="${colour}"/>`
}

const dotRadius = 5
const gap = 5

/** Between the dots of two faces. */
const gapOfFaces = 12

/** The dot style: a dot and a word on a transparent background, with the label only if it is a custom one. */
function dot({ label, word, colour }: Face): Drawing {
  return dotAt(0, label === defaultLabel ? word : `${label}: ${word}`, colour)
}

function dots({ label, faces, rest }: Row): Drawing {
  const elements: string[] = []
  let width = 0
  const add = (text: string, colour: string | null) => {
    const start = width === 0 ? 0 : width + gapOfFaces
    const drawn = colour === null ? textAt(start, text) : dotAt(start, text, colour)
    elements.push(...drawn.elements)
    width = drawn.width
  }
  if (label !== defaultLabel) add(`${label}:`, null)
  for (const { label, word, colour } of faces) add(`${label} ${word}`, colour)
  if (rest !== null) add(rest, null)
  return { width, elements }
}

/** A dot and its text, which begin at `start`. */
function dotAt(start: number, text: string, colour: string): Drawing {
  const { width, elements } = textAt(start + 2 * dotRadius + gap, text)
  const circle = `<circle cx="${start + dotRadius}" cy="${height / 2}" r="${dotRadius}" fill="${colour}"/>`
  return { width, elements: [circle, ...elements] }
}

function textAt(start: number, text: string): Drawing {
  return {
    width: start + Math.ceil(textWidth(text)),
    elements: [textElement(text, { x: start, fill: textOnPage, anchor: 'start' })],
  }
}
