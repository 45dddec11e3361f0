import { usualLabel } from './choice.ts'
import type { Face } from './face.ts'
import { textOnPage } from './palette.ts'
import { type Drawing, height, textElement } from './svg.ts'
import { textWidth } from './text-width.ts'

const radius = 5
const gap = 5

/** The dot style: a dot and a word on a transparent ground, after the label if that is one's own. */
export function dot({ label, word, colour }: Face): Drawing {
  const text = label === usualLabel ? word : `${label}: ${word}`
  const textStart = 2 * radius + gap
  return {
    width: textStart + Math.ceil(textWidth(text)),
    elements: [
      `<circle cx="${radius}" cy="${height / 2}" r="${radius}" fill="${colour}"/>`,
      textElement(text, { x: textStart, fill: textOnPage, anchor: 'start' }),
    ],
  }
}
