import { Html } from '@elysiajs/html'
import { Snippet } from '../parts/snippet.tsx'

/** What to do when GitHub, which shows images through a proxy, keeps an old badge. */
export function ImageProxies({ baseUrl }: { baseUrl: string }): JSX.Element {
  return (
    <div class="stack">
      <p>
        GitHub and others show images through a proxy. Our headers tell it to keep none; where it keeps one
        all the same, copy the image’s address from the page that shows it. It begins with{' '}
        <code>https://camo.githubusercontent.com/</code> and not with <code safe>{baseUrl}</code>. This has it
        fetched anew:
      </p>
      <Snippet code="curl -X PURGE https://camo.githubusercontent.com/…" />
    </div>
  )
}
