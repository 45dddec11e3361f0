import { Html } from '@elysiajs/html'
import { type Headline, headlineOf } from '../../domain/entry/headline.ts'
import { inDigits } from '../parts/counted.ts'
import { linked } from '../parts/linked.tsx'
import { hasFound, marked } from '../parts/marked.ts'
import { prepared } from '../parts/prepared.ts'
import { withSingleBlanks } from './single-blanks.ts'

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
 * The body of a message in a list: a longer one shows its first `mostLines` as they are drawn, and what says
 * nothing is left out. The style alone folds it: all is there for screen readers and without scripts.
 */
export function Body({ headline, mostLines, words = [] }: Props): JSX.Element {
  if (headline.body === '') return ''
  const withMarks = (markup: JSX.Element) => (words.length === 0 ? markup : marked(String(markup), words))
  const lines = withSingleBlanks(headline.body.split('\n'))
  const says = lines.map((line) => tellsMore(line, headline))
  const telling = lines.filter((_, n) => says[n])
  if (telling.length === 0) return ''
  const widths = telling.map((line) =>
    Bun.stringWidth(line.includes('\t') ? line.replaceAll('\t', tab) : line),
  )
  const wide = drawnLines(widths, columns.wide) - mostLines
  const narrow = drawnLines(widths, columns.narrow) - mostLines
  // A fold that hides one line would be as high as that line.
  if (narrow < 2) return whole({}, { lines: withMarks(linked(telling.join('\n'))) })
  const parts = { lines: withMarks(withLeftOuts(lines, says)) }
  const fold =
    wide < 2
      ? foldedOnPhones({ narrow: inDigits(narrow) }, parts)
      : folded({ wide: inDigits(wide), narrow: inDigits(narrow) }, parts)
  return words.length > 0 && isHidden(words, headline, telling.slice(0, mostLines)) ? opened(fold) : fold
}

/** Whether what was searched for is in none of the lines that are shown. */
function isHidden(words: readonly string[], headline: Headline, shown: readonly string[]): boolean {
  const isShown = [headline.prefix, headline.subject, headline.suffix, ...shown].some((line) =>
    hasFound(line, words),
  )
  return !isShown && hasFound(headline.body, words)
}

function opened(fold: JSX.Element): JSX.Element {
  return String(fold).replace('<details>', '<details open>')
}

const whole = prepared<never, 'lines'>((_, { lines }) => (
  <div class="body">
    <p class="lines">{lines}</p>
  </div>
))

const folded = prepared<'wide' | 'narrow', 'lines'>(({ wide, narrow }, { lines }) => (
  <div class="body folded">
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
        <span class="less">Fewer lines</span>
      </summary>
    </details>
  </div>
))

const foldedOnPhones = prepared<'narrow', 'lines'>(({ narrow }, { lines }) => (
  <div class="body folded when-narrow">
    <p class="lines">{lines}</p>
    <details>
      <summary>
        <span class="more" safe>{`${narrow} more lines`}</span>
        <span class="less">Fewer lines</span>
      </summary>
    </details>
  </div>
))

/** Whether a line says something, and something else than the headline. */
function tellsMore(line: string, { subject }: Headline): boolean {
  if (line === '' || /^\s*[-–—=_*~─]{2,}\s*$/.test(line)) return false
  return !line.includes(subject) || headlineOf(line.replace(/^\s*[-*]\s/, '')).subject !== subject
}

/** The lines, with those that say nothing as parts that are not drawn while the others are folded. */
function withLeftOuts(lines: readonly string[], says: readonly boolean[]): JSX.Element {
  let markup = ''
  let hasBegun = false
  for (let from = 0, to = 0; from < lines.length; from = to) {
    while (to < lines.length && says[to] === says[from]) to += 1
    const text = lines.slice(from, to).join('\n')
    if (says[from]) {
      markup += `${hasBegun ? '\n' : ''}${linked(text)}`
      hasBegun = true
    } else {
      markup += leftOut({ text: hasBegun ? `\n${text}` : `${text}\n` })
    }
  }
  return markup
}

const leftOut = prepared<'text'>(({ text }) => (
  <span class="left-out" safe>
    {text}
  </span>
))

function drawnLines(widths: readonly number[], columns: number): number {
  return widths.reduce((sum, width) => sum + Math.max(1, Math.ceil(width / columns)), 0)
}
