import { Html } from '@elysiajs/html'
import type { Site } from '../page/site.ts'
import { Panel } from '../parts/panel.tsx'
import { SnippetTabs } from '../parts/snippet-tabs.tsx'
import { BadgePickers } from './pickers.tsx'
import { type BadgeStyle, badgeSnippet, formatNames, formats } from './snippets.ts'

type Props = {
  site: Site
  username: string
  /** What there is to pick from. */
  targets?: readonly string[]
  target?: string | null
  style?: BadgeStyle
}

/** The badge of a user to look at, to choose and to copy. */
export function BadgeEmbed(props: Props): JSX.Element {
  const { site, username, targets = [], target = null, style = 'standard' } = props
  const choice = { username, style, target }
  return (
    <Panel id="embed" title="Embed a badge" hint="Always current, never cached">
      <BadgePickers choice={choice} targets={targets} />
      <SnippetTabs
        name="format"
        legend="Format"
        snippets={formatNames.map((format) => [
          formats[format].name,
          badgeSnippet(format, site.baseUrl, choice),
        ])}
      />
      <ImageProxies baseUrl={site.baseUrl} />
    </Panel>
  )
}

function ImageProxies({ baseUrl }: { baseUrl: string }): JSX.Element {
  return (
    <details class="note">
      <summary>GitHub shows an old badge?</summary>
      <div class="stack">
        <p>
          GitHub and others show images through a proxy. Our headers tell it to keep none; where it keeps one
          all the same, copy the image’s address from the page that shows it. It begins with{' '}
          <code>https://camo.githubusercontent.com/</code> and not with <code safe>{baseUrl}</code>. This has
          it fetched anew:
        </p>
        <pre>
          <code>curl -X PURGE https://camo.githubusercontent.com/…</code>
        </pre>
      </div>
    </details>
  )
}
