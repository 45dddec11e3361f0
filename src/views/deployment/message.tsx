import { Html } from '@elysiajs/html'
import { isBlank, linesOf, withControlPictures } from '../../domain/text.ts'
import { prepared } from '../parts/prepared.ts'

/** A whole message, as it was sent but for the blank lines at its end, of which one is left in between. */
export function Message({ message }: { message: string }): JSX.Element {
  return lines({ text: withSingleBlanks(linesOf(withControlPictures(message))).join('\n') })
}

const lines = prepared<'text'>(({ text }) => (
  <p class="message">
    <bdi class="lines" safe>
      {text}
    </bdi>
  </p>
))

/** Leaves out blank lines at the end, and all but one where several follow each other. */
export function withSingleBlanks(lines: readonly string[]): string[] {
  const kept = lines
    .filter((line, n) => !isBlank(line) || (n > 0 && !isBlank(lines[n - 1] ?? '')))
    .map((line) => (isBlank(line) ? '' : line))
  return kept.at(-1) === '' ? kept.slice(0, -1) : kept
}
