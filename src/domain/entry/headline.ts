import { isBlank, linesOf, withControlPictures } from '../text.ts'

/** A message as pages set it: what was shipped, and the rest. */
export type Headline = {
  /** Gitmoji and a Conventional Commits type that the first line opens with, with the blank after them. */
  readonly prefix: string
  /** What was shipped. Empty only if the message shows nothing at all. */
  readonly subject: string
  /** The number of a pull request at the end of the first line, with the blank before it: " (#123)". */
  readonly suffix: string
  /** The lines below, as they were sent but for the ends of lines, without blank lines before and after. */
  readonly body: string
}

const emoji = String.raw`[\p{Extended_Pictographic}\p{RI}][\ufe0f\p{Emoji_Modifier}]*`
const mark = `(?::[a-z\\d_+-]+:|${emoji}(?:\u200d${emoji})*)`
const marks = `(?:${mark}\\s*)*`
const prefixPattern = new RegExp(`^${marks}(?:[a-z][\\w-]*!?(?:\\([^()]*\\))?!?:\\s+)?${marks}`, 'iu')

/**
 * Splits a message into its headline, which is its first line that shows something, and its body. Prefix,
 * subject and suffix together are that line without blanks around it: nothing is rewritten
 * (docs/decisions.md#feed). Control characters are pictures in all of them.
 */
export function headlineOf(message: string): Headline {
  const lines = linesOf(withControlPictures(message))
  const first = lines.findIndex((line) => !isBlank(line))
  const line = (lines[first] ?? '').trim()
  const last = lines.findLastIndex((line) => !isBlank(line))
  const below = lines.slice(first + 1, last + 1)
  const body = below
    .slice(
      Math.max(
        0,
        below.findIndex((line) => !isBlank(line)),
      ),
    )
    .join('\n')
  return { ...partsOf(line), body }
}

/** A line that would be nothing but prefix and suffix is all subject. */
function partsOf(line: string): Omit<Headline, 'body'> {
  const prefix = prefixPattern.exec(line)?.[0] ?? ''
  const rest = line.slice(prefix.length)
  const subject = /\(#\d+\)$/.test(rest) ? rest.slice(0, rest.lastIndexOf('(')).trimEnd() : rest
  if (isBlank(subject)) return { prefix: '', subject: line, suffix: '' }
  return { prefix, subject, suffix: rest.slice(subject.length) }
}
