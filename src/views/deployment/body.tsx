import { Html } from '@elysiajs/html'
import { isBlank } from '../../domain/field-parsing.ts'
import { type Headline, headlineOf } from '../../domain/headline.ts'
import { template } from '../parts/escaping-and-templates.ts'
import { hasFound, inDigits, marked } from '../parts/links-and-marks.tsx'
import { sideOf } from './labels.tsx'
import { Prose } from './prose.ts'

/** About how many columns a line of a body has, on a wide page and on a phone. */
const columns = { wide: 96, narrow: 44 }
const tab = '    '

type Props = {
  headline: Headline
  mostLines: number
  /** What was searched for. */
  words?: readonly string[] | undefined
}

/**
 * The body of a message in a list, without lines that add nothing to the headline, and without trailers unless the
 * search found them alone. A long one is folded to `mostLines` drawn lines of running text. Only the stylesheet folds
 * it, so screen readers and pages without scripts have all of it.
 */
export function Body({ headline, mostLines, words = [] }: Props): JSX.Element {
  const lines = linesOf(headline, words)
  if (lines.length === 0) return ''
  const text = lines.join('\n')
  const prose = Prose({ text })
  if (prose === '') return ''
  const parts = { lines: words.length === 0 ? prose : marked(String(prose), words) }
  const side = sideOf(text)
  const widths = lines.map(widthOf)
  const wide = hiddenLines(widths, columns.wide, mostLines)
  const narrow = hiddenLines(widths, columns.narrow, mostLines)
  if (narrow === 0) return whole({ side }, parts)
  const fold =
    wide === 0
      ? foldedOnPhones({ side, narrow: inDigits(narrow) }, parts)
      : folded({ side, wide: inDigits(wide), narrow: inDigits(narrow) }, parts)
  return words.length > 0 && isHidden(words, headline, lines.slice(0, mostLines)) ? opened(fold) : fold
}

function linesOf({ prefix, subject, suffix, body, trailers }: Headline, words: readonly string[]): string[] {
  const isOnlyInTrailers =
    words.length > 0 &&
    trailers !== '' &&
    ![prefix + subject + suffix, body].some((text) => hasFound(text, words))
  const text = isOnlyInTrailers ? `${body}\n\n${trailers}` : body
  if (text === '') return []
  const lines = text.split('\n')
  // Within code, a line of dashes is not a rule.
  return withSingleBlanks(hasFence.test(text) ? lines : lines.filter((line) => addsMore(line, subject)))
}

const hasFence = /^\s*(?:```|~~~)/m

/** Whether the words of the search are only in hidden lines. */
function isHidden(words: readonly string[], headline: Headline, shown: readonly string[]): boolean {
  const isShown = [headline.prefix, headline.subject, headline.suffix, ...shown].some((line) =>
    hasFound(line, words),
  )
  return !isShown && hasFound(`${headline.body}\n${headline.trailers}`, words)
}

function opened(fold: JSX.Element): JSX.Element {
  return String(fold).replace('<details>', '<details open>')
}

const whole = template<'side', 'lines'>(({ side }, { lines }) => (
  <div class={`body${side}`}>
    <div class="lines">{lines}</div>
  </div>
))

const folded = template<'side' | 'wide' | 'narrow', 'lines'>(({ side, wide, narrow }, { lines }) => (
  <div class={`body folded${side}`}>
    <div class="lines">{lines}</div>
    <details>
      <summary>
        <span class="more">
          <span class="on-wide" safe>
            {wide}
          </span>
          <span class="on-phones" safe>
            {narrow}
          </span>{' '}
          more lines
        </span>
        <span class="less">Show less</span>
      </summary>
    </details>
  </div>
))

const foldedOnPhones = template<'side' | 'narrow', 'lines'>(({ side, narrow }, { lines }) => (
  <div class={`body folded when-narrow${side}`}>
    <div class="lines">{lines}</div>
    <details>
      <summary>
        <span class="more" safe>{`${narrow} more lines`}</span>
        <span class="less">Show less</span>
      </summary>
    </details>
  </div>
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
 * About how many lines a fold saves: a folded text runs on without its line breaks, and an opened one keeps them. 0 for
 * a text that is not folded: if a fold saved only one line, its link would take up as much space.
 */
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
