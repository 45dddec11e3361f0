import { labelGround, statusColours, textOnGround } from './palette.ts'
import { type BadgeStatus, label, words } from './status.ts'
import { type Drawing, height, textElement } from './svg.ts'
import { textWidth } from './text-width.ts'

const padding = 6
const radius = 3

/** The standard style: "deployed" and the status beside each other, with rounded corners. */
export function standard(status: BadgeStatus): Drawing {
  return twoParts(status, roundedGrounds)
}

/** The square style: the same with sharp corners. */
export function square(status: BadgeStatus): Drawing {
  return twoParts(status, sharpGrounds)
}

/** The grounds of the two words: the label's from 0 to `seam`, the status's from `seam` to `width`. */
type Grounds = {
  readonly seam: number
  readonly width: number
  readonly statusFill: string
}

function twoParts(status: BadgeStatus, drawGrounds: (grounds: Grounds) => string[]): Drawing {
  const word = words[status]
  const seam = partWidth(label)
  const width = seam + partWidth(word)
  return {
    width,
    elements: [
      ...drawGrounds({ seam, width, statusFill: statusColours[status] }),
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
 * A clipPath would need an id, and ids collide when badges share a page. So the status rounds its own two
 * corners, and the label's right corners lie beneath it.
 */
function roundedGrounds({ seam, width, statusFill }: Grounds): string[] {
  const rightCorners = `a${radius} ${radius} 0 0 1 ${radius} ${radius}V${height - radius}a${radius} ${radius} 0 0 1 -${radius} ${radius}`
  return [
    `<rect width="${seam + radius}" height="${height}" rx="${radius}" fill="${labelGround}"/>`,
    `<path d="M${seam} 0H${width - radius}${rightCorners}H${seam}z" fill="${statusFill}"/>`,
  ]
}

function sharpGrounds({ seam, width, statusFill }: Grounds): string[] {
  return [
    `<rect width="${seam}" height="${height}" shape-rendering="crispEdges" fill="${labelGround}"/>`,
    `<rect x="${seam}" width="${width - seam}" height="${height}" shape-rendering="crispEdges" fill="${statusFill}"/>`,
  ]
}
