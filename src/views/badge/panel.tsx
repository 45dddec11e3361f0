import { Html } from '@elysiajs/html'
import type { BadgeChoice } from '../../badge/choice.ts'
import type { Site } from '../page/site.ts'
import { attribute } from '../parts/attribute.ts'
import { Panel } from '../parts/panel.tsx'
import { forgeAndName } from '../parts/readable-address.ts'
import { SnippetTabs } from '../parts/snippet.tsx'
import { BadgePickers } from './pickers.tsx'
import { badgeAddress, badgeAlt, badgeSnippet, formatNames, formats, offeredChoice } from './snippets.ts'

type Props = {
  site: Site
  username: string
  /** The targets to pick from. */
  targets?: readonly string[]
  target?: string | null
  choice?: BadgeChoice
}

/** A user's badge to look at, choose and copy. */
export function BadgeEmbed(props: Props): JSX.Element {
  const { site, username, targets = [], target = null, choice = offeredChoice } = props
  const badge = { ...choice, username, target }
  return (
    <Panel id="embed" title={target === null ? 'Badge' : `Badge of ${forgeAndName(target).name}`}>
      <p class="preview">
        <img class="badge" src={attribute(badgeAddress(badge))} alt={badgeAlt(badge)} height="20" />
      </p>
      <BadgePickers badge={badge} targets={targets} />
      <SnippetTabs
        name="format"
        legend="As"
        inWords
        snippets={formatNames.map((format) => [
          formats[format].name,
          badgeSnippet(format, site.baseUrl, badge),
        ])}
      />
      <p class="hint">
        Always current, never cached. <a href="/docs#on-github">GitHub shows an old one?</a>
      </p>
    </Panel>
  )
}
