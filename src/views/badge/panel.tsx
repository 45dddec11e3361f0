import { Html } from '@elysiajs/html'
import type { BadgeStyle } from '../../badge/badge.ts'
import type { Site } from '../page/site.ts'
import { Panel } from '../parts/panel.tsx'
import { SnippetTabs } from '../parts/snippet.tsx'
import { BadgePickers } from './pickers.tsx'
import { badgeSnippet, formatNames, formats } from './snippets.ts'

type Props = {
  site: Site
  username: string
  /** The targets to pick from. */
  targets?: readonly string[]
  target?: string | null
  style?: BadgeStyle
}

/** A user's badge to look at, choose and copy. */
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
      <p class="hint">
        <a href="/docs#on-github">GitHub shows an old badge?</a>
      </p>
    </Panel>
  )
}
