import { Html } from '@elysiajs/html'
import { badgeStyles, usualChoice } from '../../badge/choice.ts'
import { type Freshness, freshnessBounds } from '../../domain/freshness.ts'
import { durationInWords } from '../../domain/time.ts'
import { badgeAddress, badgeSnippet, formatNames, formats } from '../badge/snippets.ts'
import type { Site } from '../page/site.ts'
import { attribute } from '../parts/attribute.ts'
import { Snippet } from '../parts/snippet.tsx'
import { BadgeParameters, type BadgePicture } from './badge-parameters.tsx'
import { ImageProxies } from './image-proxies.tsx'

/** Each status and the age of the latest deployment. */
const conditions: readonly (readonly [status: Freshness, condition: string])[] = [
  ...freshnessBounds.map(([limit, status]) => [status, `up to ${durationInWords(limit)} ago`] as const),
  ['Stale', 'longer ago than that'],
  ['Inactive', 'there is none'],
]

type Props = { site: Site; username: string; isLive: boolean; picture: BadgePicture }

/** `isLive` if the username is somebody's, whose badge is then shown. */
export function DocsBadges({ site, username, isLive, picture }: Props): JSX.Element {
  const badge = { ...usualChoice, username, target: null }
  return (
    <section class="stack" id="badges">
      <h2>Badges</h2>
      <p>
        <code safe>{`${site.baseUrl}/badge/<username>.svg`}</code> shows how recently a user deployed. It is
        drawn at the moment it is asked for, and no browser and no image proxy may keep it. A name that nobody
        has gives a grey “unknown”, and a moment in which our database cannot answer a grey “unavailable”,
        which has status 200 and the header <code>X-Shipfeed-Status: unavailable</code>.
      </p>
      <States picture={picture} />
      {isLive && <Own username={username} />}
      <BadgeParameters picture={picture} />
      <h3>Embed</h3>
      {formatNames.map((format) => (
        <Snippet
          id={`embed-${format}`}
          label={formats[format].name}
          code={badgeSnippet(format, site.baseUrl, badge)}
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
        {conditions.map(([status, condition]) => (
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
            src={attribute(badgeAddress({ ...usualChoice, username, style, target: null }))}
            alt={`Your badge, ${style}`}
            height="20"
          />
        ))}
      </p>
    </>
  )
}

function ForPrograms({ site }: { site: Site }): JSX.Element {
  return (
    <>
      <h3 id="on-github">On GitHub</h3>
      <ImageProxies baseUrl={site.baseUrl} />
      <h3>For programs</h3>
      <p>
        <code safe>{`${site.baseUrl}/badge/<username>.json`}</code> tells the same in shields’ endpoint
        schema: <code>schemaVersion</code>, <code>label</code>, <code>message</code>, <code>color</code> and{' '}
        <code>isError</code>. An unknown user is a 404 here.
      </p>
    </>
  )
}
