import { Html } from '@elysiajs/html'
import { isBlank, linesOf, withControlPictures } from '../../domain/text.ts'
import { prepared } from '../parts/prepared.ts'

/** A message in a list is folded if more lines than this are drawn. */
const mostLines = 8
/** About how many columns a line of a message has, on a wide page and on a phone. */
const columns = { wide: 72, narrow: 32 }
const tab = '    '

export function Message({ message }: { message: string }): JSX.Element {
  return lines({ text: shown(message) })
}

const lines = prepared<'text'>(({ text }) => (
  <p class="message">
    <bdi class="lines" safe>
      {text}
    </bdi>
  </p>
))

/**
 * A message in a list. A long one shows its beginning and "Show more". The style alone folds it: all the text
 * is there for screen readers, for selecting and without scripts.
 */
export function FoldedMessage({ message }: { message: string }): JSX.Element {
  const text = shown(message)
  const all = linesOf(text)
  if (drawnLines(all, columns.narrow) <= mostLines) return lines({ text })
  return (
    <div class={drawnLines(all, columns.wide) > mostLines ? 'folded' : 'folded when-narrow'}>
      {lines({ text })}
      <details>
        <summary>
          Show <span class="more">more</span>
          <span class="less">less</span>
        </summary>
      </details>
    </div>
  )
}

/**
 * A message without the blank lines at its end, with one for three or more in between, and with its control
 * characters as pictures. It is kept as it was sent.
 */
function shown(message: string): string {
  const lines: string[] = []
  let blank: string[] = []
  for (const line of linesOf(withControlPictures(message))) {
    if (isBlank(line)) {
      blank.push(line)
    } else {
      lines.push(...(blank.length > 2 ? [''] : blank), line)
      blank = []
    }
  }
  return lines.join('\n')
}

function drawnLines(lines: readonly string[], columns: number): number {
  return lines.reduce((sum, line) => sum + drawnLinesOf(line, columns), 0)
}

function drawnLinesOf(line: string, columns: number): number {
  return Math.max(1, Math.ceil(Bun.stringWidth(line.replaceAll('\t', tab)) / columns))
}
