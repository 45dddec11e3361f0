import { statusColours, textOnPage } from './palette.ts'
import { type BadgeStatus, words } from './status.ts'
import { type Drawing, height, textElement } from './svg.ts'
import { textWidth } from './text-width.ts'

const radius = 5
const gap = 5

/** The dot style: a dot and the status word on a transparent ground. */
export function dot(status: BadgeStatus): Drawing {
  const word = words[status]
  const wordStart = 2 * radius + gap
  return {
    width: wordStart + Math.ceil(textWidth(word)),
    elements: [
      `<circle cx="${radius}" cy="${height / 2}" r="${radius}" fill="${statusColours[status]}"/>`,
      textElement(word, { x: wordStart, fill: textOnPage, anchor: 'start' }),
    ],
  }
}
