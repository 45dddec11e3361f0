import { Html, type PropsWithChildren } from '@elysiajs/html'

type Props = PropsWithChildren<{
  n: number
  title: JSX.Element
  state: 'done' | 'now' | 'open' | 'later'
}>

/** A step of the checklist: walked, to be walked now, open besides, or later. */
export function Step({ n, title, state, children }: Props): JSX.Element {
  return (
    <li class={`step ${state}`} aria-current={state === 'now' ? 'step' : undefined}>
      <span class="number" aria-hidden="true">
        {state === 'done' ? '✓' : n}
      </span>
      <div class="stack">
        <h3>
          {title}
          {state === 'done' && <span class="unseen">, done</span>}
        </h3>
        {children}
      </div>
    </li>
  )
}
