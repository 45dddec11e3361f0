import { Html, type PropsWithChildren } from '@elysiajs/html'
import { adviceOnError } from './htmx.ts'

type Props = PropsWithChildren<{
  action: string
  /** The id of the part of the page that the answer replaces. */
  within: string
  /** The selector of other parts that change with it. */
  also?: string
}>

/**
 * A form whose answer replaces its part of the page; without JavaScript the answer is a whole page. An
 * error's page has no such part: its advice is shown in the form, which keeps what was typed.
 */
export function Form({ action, within, also, children }: Props): JSX.Element {
  return (
    <form
      class="stack"
      method="post"
      action={action}
      hx-post={action}
      hx-target={`#${within}`}
      hx-select={`#${within}`}
      hx-select-oob={also}
      hx-swap="outerHTML"
      hx-sync="drop"
      {...adviceOnError}
    >
      {children}
      <div class="unsent" role="alert"></div>
    </form>
  )
}
