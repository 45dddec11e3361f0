import { withEmoji } from './gitmoji.ts'
import type { Headline } from './headline.ts'

/** A part of a headline: code, without its backticks, or other text, in which known shortcodes are emoji. */
export type Piece = { readonly text: string; readonly isCode: boolean }

/** Splits a line into code, as Markdown marks it, and the text around it. Backticks without a partner stay text. */
export function piecesOf(line: string): readonly Piece[] {
  if (!line.includes('`')) return [{ text: withEmoji(line), isCode: false }]
  // Every second part is a run of backticks.
  const parts = line.split(/(`+)/)
  const pieces: Piece[] = []
  let text = ''
  for (let n = 0; n < parts.length; n += 1) {
    const end = n % 2 === 0 ? -1 : parts.indexOf(parts[n] as string, n + 1)
    if (end === -1) {
      text += parts[n]
      continue
    }
    if (text !== '') pieces.push({ text: withEmoji(text), isCode: false })
    text = ''
    const code = parts.slice(n + 1, end).join('')
    const isPadded = code.startsWith(' ') && code.endsWith(' ') && code.trim() !== ''
    pieces.push({ text: isPadded ? code.slice(1, -1) : code, isCode: true })
    n = end
  }
  return text === '' ? pieces : [...pieces, { text: withEmoji(text), isCode: false }]
}

/** The whole title of a message for a place without markup. */
export function plainTitle({ prefix, subject, suffix }: Headline): string {
  return plainLine(prefix + subject + suffix)
}

/** A line without the backticks around its code. */
export function plainLine(line: string): string {
  return piecesOf(line)
    .map(({ text }) => text)
    .join('')
}
