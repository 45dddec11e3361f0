import { Html } from '@elysiajs/html'

/** Text to be copied: one click selects all of it. */
export function Snippet({ label, code }: { label?: string; code: string }): JSX.Element {
  return (
    <figure class="snippet">
      {label !== undefined && <figcaption safe>{label}</figcaption>}
      <pre>
        <code safe>{code}</code>
      </pre>
    </figure>
  )
}
