import { Html } from '@elysiajs/html'
import { isBlank } from '../../domain/field-parsing.ts'
import { type Headline, headlineOf } from '../../domain/headline.ts'
import { template } from '../parts/escaping-and-templates.ts'
import { hasFound, inDigits, marked } from '../parts/links-and-marks.tsx'
import { sideOf } from './labels.tsx'
import { Prose } from './prose.ts'

/** About how many columns a line has, on a wide page and on a phone. */
const columns = { wide: 96, narrow: 44 }
const tab = '    '

type Props = { headline: Headline; mostLines: number; words?: readonly string[] | undefined }

/**
 * The body of a message in a list, without lines that add nothing to the headline, and without trailers unless the
 * search found them alone. A long one is folded to `mostLines` drawn lines of running text. Only the stylesheet folds
 * it, so screen readers and pages without scripts have all of it.
 */
export function Body({ headline, mostLines, words = [] }: Props): JSX.Element {
  const shown = linesOf(headline, words)
  if (shown.length === 0) return ''
  const text = shown.join('\n')
  const prose = String(Prose({ text }))
  if (prose === '') return ''
  const lines = words.length === 0 ? prose : marked(prose, words)
  const side = sideOf(text)
  const widths = shown.map(widthOf)
  const narrow = hiddenLines(widths, columns.narrow, mostLines)
  if (narrow === 0) return whole({ side }, { lines })
  const wide = hiddenLines(widths, columns.wide, mostLines)
  const count = wide === 0 ? inDigits(narrow) : counts({ wide: inDigits(wide), narrow: inDigits(narrow) })
  const fold = folded({ on: wide === 0 ? ' when-narrow' : '', side }, { lines, count })
  if (words.length === 0 || !isHidden(words, headline, shown.slice(0, mostLines))) return fold
  return String(fold).replace('<details>', '<details open>')
}

function linesOf({ prefix, subject, suffix, body, trailers }: Headline, words: readonly string[]): string[] {
  const rest = `${prefix}${subject}${suffix}\n${body}`
  const isOnlyInTrailers = words.length > 0 && trailers !== '' && !hasFound(rest, words)
  const text = isOnlyInTrailers ? `${body}\n\n${trailers}` : body
  const lines = text.split('\n')
  // Within code, a line of dashes is not a rule.
  return withSingleBlanks(hasFence.test(text) ? lines : lines.filter((line) => addsMore(line, subject)))
}

const hasFence = /^[ \t]*(?:```|~~~)/m

/** Whether the words of the search are only in hidden lines. */
function isHidden(words: readonly string[], headline: Headline, shown: readonly string[]): boolean {
  const { prefix, subject, suffix, body, trailers } = headline
  const isShown = hasFound([prefix, subject, suffix, ...shown].join('\n'), words)
  return !isShown && hasFound(`${body}\n${trailers}`, words)
}

const whole = template<'side', 'lines'>(({ side }, { lines }) => (
  <div class={`body${side}`}>
    <div class="lines">{lines}</div>
  </div>
))

const folded = template<'on' | 'side', 'lines' | 'count'>(({ on, side }, { lines, count }) => (
  <div class={`body folded${on}${side}`}>
    <div class="lines">{lines}</div>
    <details>
      <summary>
        <span class="more">{count} more lines</span>
        <span class="less">Show less</span>
      </summary>
    </details>
  </div>
))

const counts = template<'wide' | 'narrow'>(({ wide, narrow }) => (
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

/** About how many lines a fold, which runs lines together, saves; 0 if that is no more than its own link takes. */
function hiddenLines(widths: readonly number[], columns: number, mostLines: number): number {
  let lines = 0
  let all = 0
  for (const width of widths) {
    if (width === 0) continue
    lines += Math.ceil(width / columns)
    all += width + ' '.length
  }
  return lines < mostLines + 2 ? 0 : lines - Math.min(mostLines, Math.ceil(all / columns))
}

/** Removes blank lines at both ends, and reduces several blank lines in a row to one. */
export function withSingleBlanks(lines: readonly string[]): string[] {
  const kept: string[] = []
  for (const line of lines) {
    if (!isBlank(line)) kept.push(line)
    else if (kept.length > 0 && kept.at(-1) !== '') kept.push('')
  }
  if (kept.at(-1) === '') kept.pop()
  return kept
}
