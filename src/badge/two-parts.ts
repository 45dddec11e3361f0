import { labelGround, statusColours, textOnGround } from './palette.ts'
import { type BadgeStatus, label, words } from './status.ts'
import { type Drawing, textElement } from './svg.ts'
import { textWidth } from './text-width.ts'

/** Where the grounds of the two words lie: the label's from 0 to `seam`, the status's from there to `width`. */
export type Grounds = {
  readonly seam: number
  readonly width: number
  readonly labelFill: string
  readonly statusFill: string
}

const padding = 6

/** "deployed" and the status beside each other, on the grounds that the style draws. */
export function twoParts(status: BadgeStatus, drawGrounds: (grounds: Grounds) => string[]): Drawing {
  const word = words[status]
  const seam = partWidth(label)
  const width = seam + partWidth(word)
  const grounds = drawGrounds({ seam, width, labelFill: labelGround, statusFill: statusColours[status] })
  return {
    width,
    elements: [
      ...grounds,
      textElement(label, { x: seam / 2, fill: textOnGround, anchor: 'middle' }),
      textElement(word, { x: (seam + width) / 2, fill: textOnGround, anchor: 'middle' }),
    ],
  }
}

/** Whole pixels, so that the seam is sharp. */
function partWidth(word: string): number {
  return Math.round(textWidth(word)) + 2 * padding
}
