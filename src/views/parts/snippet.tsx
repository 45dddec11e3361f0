import { Html } from '@elysiajs/html'
import { CopyButton } from './copy-button.tsx'

type Props = {
  code: string
  label?: string
  /** With an id it has a copy button. */
  id?: string
}

/** Text to be copied: one click selects all of it. */
export function Snippet({ label, code, id }: Props): JSX.Element {
  return (
    <figure class="snippet">
      {label !== undefined && <figcaption safe>{label}</figcaption>}
      {id !== undefined && <CopyButton of={id} what={label ?? 'it'} />}
      <pre>
        <code id={id} safe>
          {code}
        </code>
      </pre>
    </figure>
  )
}
