import { Html } from '@elysiajs/html'
import { isBlank } from '../../domain/field-parsing.ts'
import { type Headline, headlineOf } from '../../domain/message/headline.ts'
import type { Marks } from '../parts/marks.ts'
import { escaped, template } from '../parts/markup.ts'
import { inDigits } from '../parts/numbers.ts'
import { sideOf } from './labels.tsx'
import { Prose } from './prose.ts'

/** About how many columns a line has, on a wide page and on a phone. */
const columns = { wide: 96, narrow: 44 }
const tab = '    '

type Props = { headline: Headline; maxLines: number; marks?: Marks | undefined }

/**
 * The body of a message in a list, without lines that add nothing to the headline, and without trailers unless the
 * search found them alone. A long one is folded to `maxLines` drawn lines of running text. Only the stylesheet folds
 * it, so screen readers and pages without scripts have all of it.
 */
export function Body({ headline, maxLines, marks }: Props): JSX.Element {
  const text = shownOf(headline, marks)
  if (text === '') return ''
  const shown = text.split('\n')
  const prose = String(Prose({ text }))
  if (prose === '') return ''
  const lines = marks === undefined ? prose : marks.mark(prose)
  const side = sideOf(text)
  const widths = shown.map(widthOf)
  const narrow = foldLabel(widths, columns.narrow, maxLines)
  if (narrow === null) return whole({ side }, { lines })
  const wide = foldLabel(widths, columns.wide, maxLines)
  const label = wide === null || wide === narrow ? escaped(narrow) : labels({ wide, narrow })
  const fold = folded({ on: wide === null ? ' when-narrow' : '', side }, { lines, label })
  if (marks === undefined || !isHidden(marks, headline, shown.slice(0, maxLines))) return fold
  return String(fold).replace('<details>', '<details open>')
}

function shownOf(headline: Headline, marks: Marks | undefined): string {
  const { prefix, subject, suffix, body, trailers } = headline
  const rest = `${prefix}${subject}${suffix}\n${body}`
  const isOnlyInTrailers = marks !== undefined && trailers !== '' && !marks.areIn(rest)
  const text = isOnlyInTrailers ? `${body}\n\n${trailers}` : body
  // Within code, a line of dashes is not a rule.
  if (hasFence.test(text)) return withSingleBlanks(text)
  const lines = text.split('\n').filter((line) => addsMore(line, subject))
  return withSingleBlanks(lines.join('\n'))
}

const hasFence = /^[ \t]*(?:```|~~~)/m

/** Whether what was found is only in hidden lines. */
function isHidden(marks: Marks, headline: Headline, shown: readonly string[]): boolean {
  const { prefix, subject, suffix, body, trailers } = headline
  const isShown = marks.areIn([prefix, subject, suffix, ...shown].join('\n'))
  return !isShown && marks.areIn(`${body}\n${trailers}`)
}

const whole = template<'side', 'lines'>(({ side }, { lines }) => (
  <div class={`body${side}`}>
    <div class="lines">{lines}</div>
  </div>
))

const folded = template<'on' | 'side', 'lines' | 'label'>(({ on, side }, { lines, label }) => (
  <div class={`body folded${on}${side}`}>
    <div class="lines">{lines}</div>
    <details>
      <summary>
        <span class="more">{label}</span>
        <span class="less">Show less</span>
      </summary>
    </details>
  </div>
))

const labels = template<'wide' | 'narrow'>(({ wide, narrow }) => (
  <>
    <span class="on-wide">{wide}</span>
    <span class="on-phones">{narrow}</span>
  </>
))

/** Whether a line is more than a rule or a repetition of the headline. */
function addsMore(line: string, subject: string): boolean {
  if (/^\s*[-–—=_*~─]{2,}\s*$/.test(line)) return false
  return !line.includes(subject) || headlineOf(line.replace(/^\s*[-*]\s/, '')).subject !== subject
}

/** In columns, without the addresses of named links. */
function widthOf(line: string): number {
  const shown = line.includes('](') ? line.replace(/\]\([^()\s]*\)/g, '') : line
  return Bun.stringWidth(shown.includes('\t') ? shown.replaceAll('\t', tab) : shown)
}

/**
 * The text of the link that unfolds a body, which runs its lines together; null if that saves no more than the link
 * takes. Where the run has room for all of the text, no lines are hidden: they are only not apart.
 */
function foldLabel(widths: readonly number[], columns: number, maxLines: number): string | null {
  let lines = 0
  let all = 0
  for (const width of widths) {
    if (width === 0) continue
    lines += Math.ceil(width / columns)
    all += width + ' '.length
  }
  if (lines < maxLines + 2) return null
  const isAllShown = all <= maxLines * columns
  return isAllShown ? `${inDigits(lines)} lines` : `${inDigits(lines - maxLines)} more lines`
}

/** Removes blank lines at both ends, and reduces several blank lines in a row to one. */
export function withSingleBlanks(text: string): string {
  const lines = text.split('\n').map((line) => (isBlank(line) ? '' : line))
  return lines
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .replace(/^\n{1,2}|\n{1,2}$/g, '')
}
