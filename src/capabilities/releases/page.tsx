import { Html } from '@elysiajs/html'
import type { User } from '../../domain/account/user.ts'
import { legTo, stopsOf } from '../../domain/feed/release-train.ts'
import { Journey, StopOfJourney } from '../../views/deployment/journey.tsx'
import { escaped } from '../../views/parts/markup.ts'
import { counted } from '../../views/parts/numbers.ts'
import { readableTarget } from '../../views/parts/readable-address.ts'
import { ShortAge } from '../../views/parts/time-element.tsx'
import { Frame, type ProjectProps } from './frame.tsx'
import { HeadlineOf, Name, releaseAddress, releasesAddress } from './links.tsx'
import { idOfRelease, type Train } from './rules.ts'

/** How many stops of a release are shown: each pull request may have an environment. */
const maxStops = 6

type ListProps = ProjectProps & { releases: readonly Train[]; older: number | null; before: number | null }

export function ReleasesPage(props: ListProps): JSX.Element {
  const { user, target, releases, older, before, live, now } = props
  const { username, name } = user
  return (
    <Frame
      {...props}
      address={releasesAddress(username, target, before)}
      title={`Releases of ${readableTarget(target)}`}
      description={`The releases of ${readableTarget(target)} by ${name}, and where each of them is.`}
      heading="Releases"
    >
      {before !== null && (
        <a class="newer" href={escaped(releasesAddress(username, target))}>
          Newest releases
        </a>
      )}
      {releases.length === 0 ? (
        <p class="empty">
          {before === null
            ? 'No release yet. Announce deployments with a version or a commit, and they appear here.'
            : 'There are no older releases.'}
        </p>
      ) : (
        <ol class="releases">
          {releases.map((release) => (
            <li>
              <p class="release-line">
                <a
                  class="release-name"
                  href={escaped(releaseAddress(username, target, idOfRelease(release)))}
                >
                  <Name of={release} />
                </a>
                <span class="what">
                  <HeadlineOf of={release.deployments[0]} />
                </span>
                <span class="hint">
                  <ShortAge instant={release.deployments[0].deployedAt} now={now} />
                </span>
              </p>
              <JourneyOf {...{ user, release, live }} />
            </li>
          ))}
        </ol>
      )}
      {older !== null && (
        <nav class="older" aria-label="Pages">
          <a class="button" href={escaped(releasesAddress(username, target, older))}>
            Older releases
          </a>
        </nav>
      )}
    </Frame>
  )
}

type JourneyProps = { user: User; release: Train; live: ReadonlySet<number> }

/** The stops of a release in their order, as many as fit. */
function JourneyOf({ user, release, live }: JourneyProps): JSX.Element {
  const stops = stopsOf(release, user.environmentOrder)
  const unlisted = stops.length - maxStops
  return (
    <Journey>
      {stops.slice(0, maxStops).map(({ environment, first, latest }, n) => (
        <StopOfJourney
          address={`/${user.username}/${first.id}`}
          environment={environment}
          leg={legTo(stops, n)}
          isLive={live.has(latest.id)}
        />
      ))}
      {unlisted > 0 && <li class="hint">{escaped(`and ${counted(unlisted, 'more environment')}`)}</li>}
    </Journey>
  )
}
