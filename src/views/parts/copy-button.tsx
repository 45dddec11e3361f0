import { Html } from '@elysiajs/html'

type Props = {
  /** The id of the element whose text is copied. */
  of: string
  /** What that is, for those who hear the button without seeing where it is. */
  what: string
}

/** Hidden until static/copy.js is there to serve it. */
export function CopyButton({ of, what }: Props): JSX.Element {
  return (
    <button type="button" class="copy" data-copy={of} hidden>
      Copy<span class="unseen" safe>{` ${what}`}</span>
    </button>
  )
}
