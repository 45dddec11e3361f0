import { isBlank, linesIn, withControlPictures } from './text.ts'

/** The parts of a message that pages show differently. */
export type Headline = {
  /** The gitmoji and Conventional Commits type at the start of the first line, with the space after them. */
  readonly prefix: string
  /** The description of the change. Empty only if the whole message is blank. */
  readonly subject: string
  /** The number of a pull request at the end of the first line, with the space before it: " (#123)". */
  readonly suffix: string
  /** The lines below, separated by \n and without blank lines at either end. */
  readonly body: string
}

const emoji = String.raw`[\p{Extended_Pictographic}\p{RI}][\ufe0f\p{Emoji_Modifier}]*`
const mark = `(?::[a-z\\d_+-]+:|${emoji}(?:\u200d${emoji})*)`
const marks = `(?:${mark}\\s*)*`
const prefixPattern = new RegExp(`^${marks}(?:[a-z][\\w-]*!?(?:\\([^()]*\\))?!?:\\s+)?${marks}`, 'iu')

/**
 * Splits a message into its headline, which is the first line that is not blank, and its body. Prefix, subject
 * and suffix together are that line, trimmed and otherwise unchanged (docs/decisions.md#feed). In all parts,
 * control characters are replaced by their pictures.
 */
export function headlineOf(message: string): Headline {
  const lines = linesIn(withControlPictures(message))
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

/** A line that consists only of a prefix and a suffix is all subject. */
function partsOf(line: string): Omit<Headline, 'body'> {
  const prefix = prefixPattern.exec(line)?.[0] ?? ''
  const rest = line.slice(prefix.length)
  const subject = /\(#\d+\)$/.test(rest) ? rest.slice(0, rest.lastIndexOf('(')).trimEnd() : rest
  if (isBlank(subject)) return { prefix: '', subject: line, suffix: '' }
  return { prefix, subject, suffix: rest.slice(subject.length) }
}
