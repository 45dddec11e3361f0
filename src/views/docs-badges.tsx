import { Html } from '@elysiajs/html'
import { htmlEmbed, markdownEmbed } from './badge-embed.tsx'
import type { Site } from './site.ts'
import { Snippet } from './snippet.tsx'

const states = [
  ['Fresh', '3 hours ago or less'],
  ['Warm', 'more than 3 hours, up to 24 hours ago'],
  ['Active', 'more than 1 day, up to 7 days ago'],
  ['Quiet', 'more than 7 days, up to 30 days ago'],
  ['Stale', 'more than 30 days ago'],
  ['Inactive', 'no deployments'],
] as const

type Props = { site: Site; username: string }

export function DocsBadges({ site, username }: Props): JSX.Element {
  return (
    <section class="stack" id="badges">
      <h2>Badges</h2>
      <p>
        <code safe>{`${site.baseUrl}/badge/<username>.svg`}</code> shows how recently a user deployed. It is
        drawn at the moment it is asked for and never cached. A name that nobody has gives a grey “unknown”.
      </p>
      <States />
      <Parameters />
      <h3>Embed</h3>
      <Snippet label="Markdown" code={markdownEmbed(site.baseUrl, username)} />
      <Snippet label="HTML" code={htmlEmbed(site.baseUrl, username)} />
      <h3>For programs</h3>
      <p>
        <code safe>{`${site.baseUrl}/badge/<username>.json`}</code> tells the same in shields’ endpoint
        schema: <code>schemaVersion</code>, <code>label</code>, <code>message</code>, <code>color</code> and{' '}
        <code>isError</code>. An unknown user is a 404 here.
      </p>
    </section>
  )
}

function States(): JSX.Element {
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">Badge</th>
          <th scope="col">Latest deployment</th>
        </tr>
      </thead>
      <tbody>
        {states.map(([state, condition]) => (
          <tr>
            <th scope="row">{state}</th>
            <td>{condition}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Parameters(): JSX.Element {
  return (
    <>
      <h3>Query parameters</h3>
      <dl class="facts">
        <dt>
          <code>style</code>
        </dt>
        <dd>
          <code>square</code> for sharp corners, <code>dot</code> for a dot and the word; anything else is the
          standard badge.
        </dd>
        <dt>
          <code>url</code>
        </dt>
        <dd>
          Counts only deployments whose link is at this host, or at this host and path:{' '}
          <code>?url=example.com</code> or <code>?url=github.com/ada/engine</code>. Subdomains and deeper
          paths count; case, <code>www.</code> and the port do not matter. When none matches, the badge is
          Inactive.
        </dd>
      </dl>
    </>
  )
}
