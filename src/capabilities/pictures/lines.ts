import { advanceOf, type Weight } from './font.ts'

/** The setting of a text: weight, size in pixels, and extra space after each character. */
export type Setting = { readonly weight: Weight; readonly size: number; readonly spacing?: number }

/** No language needs more accents on one letter, and more would be drawn over the line above. */
const maxAccents = 2

/** In graphemes: more than three lines hold. Laying out a longer text would take too much time. */
const longest = 300
/** In UTF-16 code units: a letter with its accents, before they are composed, or an emoji. */
const longestGrapheme = 16

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/**
 * The beginning of a text on one line without characters that Inter lacks, that are invisible or that change the
 * direction. Null if Inter lacks a letter or a digit, or if none is left.
 */
export function drawable(text: string, weight: Weight): string | null {
  let drawn = ''
  let length = 0
  for (const { segment } of graphemes.segment(text.replace(/[\s\p{Cc}]+/gu, ' '))) {
    // The digit of a keycap emoji does not count as a digit.
    if (segment.includes('\u20e3')) continue
    let marks = 0
    for (const character of segment.slice(0, longestGrapheme).normalize('NFC')) {
      marks += /\p{M}/u.test(character) ? 1 : 0
      if (marks > maxAccents || /[\p{Default_Ignorable_Code_Point}\p{Cf}]/u.test(character)) continue
      if (advanceOf(character, weight) !== undefined) drawn += character
      else if (/[\p{L}\p{N}]/u.test(character)) return null
    }
    length += 1
    if (length === longest) break
  }
  return /[\p{L}\p{N}]/u.test(drawn) ? drawn.replace(/ +/g, ' ').trim() : null
}

/** The width of a line in pixels, without kerning, which would make it slightly narrower. */
export function widthOf(text: string, { weight, size, spacing = 0 }: Setting): number {
  return [...text].reduce((sum, character) => sum + (advanceOf(character, weight) ?? 0) * size + spacing, 0)
}

/** A text that fits a width: the end of a longer one is replaced by an ellipsis. */
export function shortened(text: string, width: number, setting: Setting): string {
  if (widthOf(text, setting) <= width) return text
  return `${beginningOf(text, width - widthOf('…', setting), setting).trimEnd()}…`
}

/** A text in at most `max` lines of similar length within a width. Words wider than a line are broken. */
export function wrapped(text: string, width: number, max: number, setting: Setting): string[] {
  const lines = filled(text, width, setting)
  if (lines.length > max) {
    return [...lines.slice(0, max - 1), shortened(lines.slice(max - 1).join(' '), width, setting)]
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

export function fits(text: string, width: number, max: number, setting: Setting): boolean {
  return filled(text, width, setting).length <= max
}

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
    let part = beginningOf(line, width, setting)
    while (part.length < line.length) {
      lines.push(part)
      line = line.slice(part.length)
      part = beginningOf(line, width, setting)
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
