import { Html } from '@elysiajs/html'
import type { Freshness } from '../../domain/freshness.ts'
import {
  type BadgeStyle,
  badgeAddress,
  badgeSnippet,
  badgeStyles,
  formatNames,
  formats,
} from '../badge/snippets.ts'
import type { Site } from '../page/site.ts'
import { attribute } from '../parts/attribute.ts'
import { Snippet } from '../parts/snippet.tsx'

/** Gives the address of a badge that says this, drawn as every badge is. */
export type BadgePicture = (status: Freshness, style: BadgeStyle) => string

/** Each status with how old the latest deployment may be in it, in hours: the bound still counts. */
export const states: readonly (readonly [status: Freshness, upToHours: number, condition: string])[] = [
  ['Fresh', 3, 'up to 3 hours ago'],
  ['Warm', 24, 'up to 24 hours ago'],
  ['Active', 7 * 24, 'up to 7 days ago'],
  ['Quiet', 30 * 24, 'up to 30 days ago'],
  ['Stale', Number.POSITIVE_INFINITY, 'longer ago than that'],
  ['Inactive', Number.NaN, 'there is none'],
]

type Props = { site: Site; username: string; isLive: boolean; picture: BadgePicture }

/** `isLive` where the username is somebody's, so that their own badge can be shown. */
export function DocsBadges({ site, username, isLive, picture }: Props): JSX.Element {
  const choice = { username, style: 'standard', target: null } as const
  return (
    <section class="stack" id="badges">
      <h2>Badges</h2>
      <p>
        <code safe>{`${site.baseUrl}/badge/<username>.svg`}</code> shows how recently a user deployed. It is
        drawn at the moment it is asked for and never cached. A name that nobody has gives a grey “unknown”.
      </p>
      <States picture={picture} />
      {isLive && <Own username={username} />}
      <Parameters picture={picture} />
      <h3>Embed</h3>
      {formatNames.map((format) => (
        <Snippet
          id={`embed-${format}`}
          label={formats[format].name}
          code={badgeSnippet(format, site.baseUrl, choice)}
        />
      ))}
      <ForPrograms site={site} />
    </section>
  )
}

function States({ picture }: { picture: BadgePicture }): JSX.Element {
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">Badge</th>
          <th scope="col">The latest deployment was</th>
        </tr>
      </thead>
      <tbody>
        {states.map(([status, _, condition]) => (
          <tr>
            <th scope="row">
              <img src={attribute(picture(status, 'standard'))} alt={status} height="20" />
            </th>
            <td safe>{condition}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Own({ username }: { username: string }): JSX.Element {
  return (
    <>
      <p>Yours, at this moment, in its three styles:</p>
      <p class="badges">
        {badgeStyles.map((style) => (
          <img
            src={attribute(badgeAddress({ username, style, target: null }))}
            alt={`Your badge, ${style}`}
            height="20"
          />
        ))}
      </p>
    </>
  )
}

function Parameters({ picture }: { picture: BadgePicture }): JSX.Element {
  return (
    <>
      <h3>Query parameters</h3>
      <dl class="facts">
        <dt>
          <code>style=square</code>
        </dt>
        <dd>
          <img src={attribute(picture('Fresh', 'square'))} alt="The square style" height="20" />
        </dd>
        <dt>
          <code>style=dot</code>
        </dt>
        <dd>
          <img src={attribute(picture('Fresh', 'dot'))} alt="The dot style" height="20" />
        </dd>
        <dt>
          <code>url=github.com/ada/engine</code>
        </dt>
        <dd>
          Counts only deployments whose link is at this host, or at this host and path. Subdomains and deeper
          paths count; case, <code>www.</code> and the port do not matter. When none matches, the badge is
          Inactive.
        </dd>
      </dl>
    </>
  )
}

function ForPrograms({ site }: { site: Site }): JSX.Element {
  return (
    <>
      <h3>On GitHub</h3>
      <p>
        GitHub shows images through a proxy of its own. Our headers tell it to keep none; where it shows an
        older badge all the same, <code>curl -X PURGE</code> with the image’s address in the page, which
        begins with <code>https://camo.githubusercontent.com/</code>, has it fetched anew.
      </p>
      <h3>For programs</h3>
      <p>
        <code safe>{`${site.baseUrl}/badge/<username>.json`}</code> tells the same in shields’ endpoint
        schema: <code>schemaVersion</code>, <code>label</code>, <code>message</code>, <code>color</code> and{' '}
        <code>isError</code>. An unknown user is a 404 here.
      </p>
    </>
  )
}
