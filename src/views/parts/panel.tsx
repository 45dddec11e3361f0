import { Html, type PropsWithChildren } from '@elysiajs/html'

type Props = PropsWithChildren<{ id: string; title: string; hint?: string; danger?: boolean }>

export function Panel({ id, title, hint, danger = false, children }: Props): JSX.Element {
  return (
    <section id={id} class={danger ? 'panel stack danger' : 'panel stack'} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`} safe>
        {title}
      </h2>
      {hint !== undefined && (
        <p class="hint" safe>
          {hint}
        </p>
      )}
      {children}
    </section>
  )
}

/** The result of a form. It takes the focus, so that it is seen and read out after a redirect or swap. */
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
