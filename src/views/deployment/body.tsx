import { Html } from '@elysiajs/html'
import { type Headline, headlineOf } from '../../domain/headline.ts'
import { isBlank } from '../../domain/text.ts'
import { template } from '../parts/template.ts'
import { hasFound, inDigits, linked, marked } from '../parts/text.tsx'
import { sideOf } from './labels.tsx'

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
 * The body of a message in a list. A long one is folded to its first `mostLines` drawn lines, without those that add
 * nothing to the headline. Only the stylesheet folds it, so screen readers and pages without scripts have all of it.
 */
export function Body({ headline, mostLines, words = [] }: Props): JSX.Element {
  if (headline.body === '') return ''
  const withMarks = (markup: JSX.Element) => (words.length === 0 ? markup : marked(String(markup), words))
  const lines = withSingleBlanks(headline.body.split('\n'))
  const adds = lines.map((line) => addsMore(line, headline))
  const adding = lines.filter((_, n) => adds[n])
  if (adding.length === 0) return ''
  const side = sideOf(adding.join('\n'))
  const widths = adding.map((line) =>
    Bun.stringWidth(line.includes('\t') ? line.replaceAll('\t', tab) : line),
  )
  const wide = drawnLines(widths, columns.wide) - mostLines
  const narrow = drawnLines(widths, columns.narrow) - mostLines
  // A fold that hides only one line would be as high as that line.
  if (narrow < 2) return whole({ side }, { lines: withMarks(linked(adding.join('\n'))) })
  const parts = { lines: withMarks(withLeftOuts(lines, adds)) }
  const fold =
    wide < 2
      ? foldedOnPhones({ side, narrow: inDigits(narrow) }, parts)
      : folded({ side, wide: inDigits(wide), narrow: inDigits(narrow) }, parts)
  return words.length > 0 && isHidden(words, headline, adding.slice(0, mostLines)) ? opened(fold) : fold
}

/** Whether the words of the search are only in hidden lines. */
function isHidden(words: readonly string[], headline: Headline, shown: readonly string[]): boolean {
  const isShown = [headline.prefix, headline.subject, headline.suffix, ...shown].some((line) =>
    hasFound(line, words),
  )
  return !isShown && hasFound(headline.body, words)
}

function opened(fold: JSX.Element): JSX.Element {
  return String(fold).replace('<details>', '<details open>')
}

const whole = template<'side', 'lines'>(({ side }, { lines }) => (
  <div class={`body${side}`}>
    <p class="lines">{lines}</p>
  </div>
))

const folded = template<'side' | 'wide' | 'narrow', 'lines'>(({ side, wide, narrow }, { lines }) => (
  <div class={`body folded${side}`}>
    <p class="lines">{lines}</p>
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
    <p class="lines">{lines}</p>
    <details>
      <summary>
        <span class="more" safe>{`${narrow} more lines`}</span>
        <span class="less">Show less</span>
      </summary>
    </details>
  </div>
))

/** Whether a line is more than a rule or a repetition of the headline. */
function addsMore(line: string, { subject }: Headline): boolean {
  if (line === '' || /^\s*[-–—=_*~─]{2,}\s*$/.test(line)) return false
  return !line.includes(subject) || headlineOf(line.replace(/^\s*[-*]\s/, '')).subject !== subject
}

/** The lines; those that add nothing are marked, so that they are hidden while the body is folded. */
function withLeftOuts(lines: readonly string[], adds: readonly boolean[]): JSX.Element {
  let markup = ''
  let hasBegun = false
  for (let from = 0, to = 0; from < lines.length; from = to) {
    while (to < lines.length && adds[to] === adds[from]) to += 1
    const text = lines.slice(from, to).join('\n')
    if (adds[from]) {
      markup += `${hasBegun ? '\n' : ''}${linked(text)}`
      hasBegun = true
    } else {
      markup += leftOut({ text: hasBegun ? `\n${text}` : `${text}\n` })
    }
  }
  return markup
}

const leftOut = template<'text'>(({ text }) => (
  <span class="left-out" safe>
    {text}
  </span>
))

function drawnLines(widths: readonly number[], columns: number): number {
  return widths.reduce((sum, width) => sum + Math.max(1, Math.ceil(width / columns)), 0)
}

/** Removes blank lines at the end, and reduces several blank lines in a row to one. */
export function withSingleBlanks(lines: readonly string[]): string[] {
  const kept: string[] = []
  for (const line of lines) {
    if (!isBlank(line)) kept.push(line)
    else if (kept.length > 0 && kept.at(-1) !== '') kept.push('')
  }
  if (kept.at(-1) === '') kept.pop()
  return kept
}
