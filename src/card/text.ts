import { inter, type Weight } from './inter.ts'

/** How a text is set: its size in pixels, and what is added after each character. */
export type Setting = { readonly weight: Weight; readonly size: number; readonly spacing?: number }

/** More accents than this on one letter are not a language's, and would be drawn over the lines above. */
const mostMarks = 2

/**
 * A text in one line, of characters that Inter has, or null if that would change what it says: if it lacks a
 * letter or a digit. Emoji and symbols that it lacks are left out, as is what shows nothing or turns the
 * direction of the text.
 */
export function drawable(text: string, weight: Weight): string | null {
  const font = inter(weight)
  let drawn = ''
  let marks = 0
  for (const character of text.normalize('NFC').replace(/[\s\p{Cc}]+/gu, ' ')) {
    marks = /\p{M}/u.test(character) ? marks + 1 : 0
    if (marks > mostMarks || /[\p{Default_Ignorable_Code_Point}\p{Cf}]/u.test(character)) continue
    if (font.advanceOf(character) !== undefined) drawn += character
    else if (/[\p{L}\p{N}]/u.test(character)) return null
  }
  return drawn.replace(/ +/g, ' ').trim()
}

/** The width of a line in pixels. Kerning, which takes a little away, is left out. */
export function widthOf(text: string, { weight, size, spacing = 0 }: Setting): number {
  const font = inter(weight)
  return [...text].reduce((sum, character) => sum + (font.advanceOf(character) ?? 0) * size + spacing, 0)
}

/** A text within a width: a longer one loses its end to an ellipsis. */
export function shortened(text: string, width: number, setting: Setting): string {
  if (widthOf(text, setting) <= width) return text
  return `${beginningOf(text, width - widthOf('…', setting), setting).trimEnd()}…`
}

/**
 * A text in lines of about the same length within a width, and of at most `most` lines. Words that are wider
 * than a line are broken.
 */
export function linesOf(text: string, width: number, most: number, setting: Setting): string[] {
  const lines = filled(text, width, setting)
  if (lines.length > most) {
    return [...lines.slice(0, most - 1), shortened(lines.slice(most - 1).join(' '), width, setting)]
  }
  const widest = Math.max(...text.split(' ').map((word) => widthOf(word, setting)))
  let best = lines
  for (let narrower = width; narrower > widest; narrower -= setting.size) {
    const tried = filled(text, narrower, setting)
    if (tried.length > lines.length) break
    best = tried
  }
  return best
}

/** Whether a text fits `most` lines of a width. */
export function fits(text: string, width: number, most: number, setting: Setting): boolean {
  return filled(text, width, setting).length <= most
}

/** As many words to a line as fit. */
function filled(text: string, width: number, setting: Setting): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`
    if (widthOf(longer, setting) <= width) {
      line = longer
      continue
    }
    if (line !== '') lines.push(line)
    line = word
    while (widthOf(line, setting) > width) {
      const part = beginningOf(line, width, setting)
      lines.push(part)
      line = line.slice(part.length)
    }
  }
  return [...lines, line]
}

/** As many characters as fit a width, at least one. */
function beginningOf(text: string, width: number, setting: Setting): string {
  let beginning = ''
  let used = 0
  for (const character of text) {
    used += widthOf(character, setting)
    if (beginning !== '' && used > width && !/\p{M}/u.test(character)) break
    beginning += character
  }
  return beginning
}
