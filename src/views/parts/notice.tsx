import { Html } from '@elysiajs/html'

/** What a form did. It takes the focus, so that it is seen and read out after a redirect or swap. */
export function Notice({ text }: { text: string | null }): JSX.Element {
  return (
    <div class="notice" role="status">
      {text !== null && (
        <p {...takesFocus} safe>
          {text}
        </p>
      )}
    </div>
  )
}

/** To spread: every element may have autofocus, but the types do not know it. */
const takesFocus = { tabindex: '-1', autofocus: true }
