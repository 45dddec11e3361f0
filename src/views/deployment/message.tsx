import { Html } from '@elysiajs/html'

const longestShown = { lines: 8, characters: 600 }

export function Message({ message }: { message: string }): JSX.Element {
  return (
    <p class="message">
      <bdi class="lines" safe>
        {message}
      </bdi>
    </p>
  )
}

/**
 * A message in a list. A long one shows its beginning and "Show more". The style alone folds it: all the text
 * is there for screen readers, for selecting and without scripts.
 */
export function FoldedMessage({ message }: { message: string }): JSX.Element {
  if (!isLong(message)) return <Message message={message} />
  return (
    <div class="folded">
      <Message message={message} />
      <details>
        <summary>
          Show <span class="more">more</span>
          <span class="less">less</span>
        </summary>
      </details>
    </div>
  )
}

function isLong(message: string): boolean {
  const { lines, characters } = longestShown
  return message.length > characters || message.trimEnd().split(/\r\n|\r|\n/).length > lines
}
