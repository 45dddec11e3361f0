import { Html } from '@elysiajs/html'
import { Panel } from './panel.tsx'
import type { Site } from './site.ts'
import { Snippet } from './snippet.tsx'

const styles = [
  ['standard', ''],
  ['square', '?style=square'],
  ['dot', '?style=dot'],
] as const

export function BadgeEmbed({ site, username }: { site: Site; username: string }): JSX.Element {
  return (
    <Panel id="embed" title="Embed a badge" hint="Always current, never cached">
      <ul class="badges">
        {styles.map(([style, query]) => (
          <li>
            <img src={`/badge/${username}.svg${query}`} alt={`Badge in the ${style} style`} height="20" />
          </li>
        ))}
      </ul>
      <Snippet label="Markdown" code={markdownEmbed(site.baseUrl, username)} />
      <Snippet label="HTML" code={htmlEmbed(site.baseUrl, username)} />
      <p class="hint">
        Add <code>?style=square</code> or <code>?style=dot</code> to the image’s address for the other styles.
      </p>
    </Panel>
  )
}

/** The badge in a link to its user's profile (specification, "Embedding shapes"). */
export function markdownEmbed(baseUrl: string, username: string): string {
  return `[![Last deployment](${baseUrl}/badge/${username}.svg)](${baseUrl}/${username})`
}

/** The badge alone (specification, "Embedding shapes"). */
export function htmlEmbed(baseUrl: string, username: string): string {
  return `<img src="${baseUrl}/badge/${username}.svg" alt="Last deployment" height="20">`
}
