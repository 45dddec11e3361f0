import { Html, type PropsWithChildren } from '@elysiajs/html'
import { escaped } from './markup.ts'

type PanelProps = PropsWithChildren<{ id: string; title: string; hint?: string; danger?: boolean }>

export function Panel({ id, title, hint, danger = false, children }: PanelProps): JSX.Element {
  return (
    <section id={id} class={danger ? 'panel stack danger' : 'panel stack'} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{escaped(title)}</h2>
      {hint !== undefined && <p class="hint">{escaped(hint)}</p>}
      {children}
    </section>
  )
}

/** An item of a list, with a hint at its end. */
export function Row({ aside, children }: PropsWithChildren<{ aside: JSX.Element }>): JSX.Element {
  return (
    <li class="row">
      <span>{children}</span>
      <span class="hint">{aside}</span>
    </li>
  )
}
