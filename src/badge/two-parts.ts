import type { Face } from './face.ts'
import { labelGround, textOnGround } from './palette.ts'
import { type Drawing, height, textElement } from './svg.ts'
import { textWidth } from './text-width.ts'

const padding = 6
const radius = 3

/** The standard style: the label and the state beside each other, with rounded corners. */
export function standard(face: Face): Drawing {
  return twoParts(face, roundedGrounds)
}

/** The square style: the same with sharp corners. */
export function square(face: Face): Drawing {
  return twoParts(face, sharpGrounds)
}

/** The grounds of the two words: the label's from 0 to `seam`, the other's from `seam` to `width`. */
type Grounds = {
  readonly seam: number
  readonly width: number
  readonly colour: string
}

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
 * corners, and the label's right corners lie beneath it.
 */
function roundedGrounds({ seam, width, colour }: Grounds): string[] {
  const rightCorners = `a${radius} ${radius} 0 0 1 ${radius} ${radius}V${height - radius}a${radius} ${radius} 0 0 1 -${radius} ${radius}`
  return [
    `<rect width="${seam + radius}" height="${height}" rx="${radius}" fill="${labelGround}"/>`,
    `<path d="M${seam} 0H${width - radius}${rightCorners}H${seam}z" fill="${colour}"/>`,
  ]
}

function sharpGrounds({ seam, width, colour }: Grounds): string[] {
  return [
    `<rect width="${seam}" height="${height}" shape-rendering="crispEdges" fill="${labelGround}"/>`,
    `<rect x="${seam}" width="${width - seam}" height="${height}" shape-rendering="crispEdges" fill="${colour}"/>`,
  ]
}
