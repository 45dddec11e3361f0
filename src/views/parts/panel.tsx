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
