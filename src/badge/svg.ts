import { textWidth } from './text-width.ts'

/** What a style draws: elements on a canvas of `width` by `height` pixels. */
export type Drawing = { readonly width: number; readonly elements: readonly string[] }

/** Completes a drawing with the end of its accessible name. */
export type Template = (nameEnd: string) => string

export const height = 20

const baseline = 14

/**
 * A whole document except for the end of its accessible name, which is also its tooltip. Nothing is escaped:
 * names are made of our own words and of letters that mean nothing to XML.
 */
export function templateOf({ width, elements }: Drawing, nameStart: string): Template {
  const open = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="Verdana,Geneva,DejaVu Sans,sans-serif" font-size="11" text-rendering="geometricPrecision" role="img" aria-label="${nameStart}`
  const title = `">\n  <title>${nameStart}`
  const close = `</title>\n${elements.map((element) => `  ${element}\n`).join('')}</svg>\n`
  return (nameEnd) => open + nameEnd + title + nameEnd + close
}

/** A word of the badge, held to its width in Verdana whatever the font is. */
export function textElement(word: string, { x, fill, anchor }: Placing): string {
  return `<text x="${x}" y="${baseline}" textLength="${textWidth(word)}" text-anchor="${anchor}" fill="${fill}">${word}</text>`
}

type Placing = { readonly x: number; readonly fill: string; readonly anchor: 'start' | 'middle' }
