import { Html } from '@elysiajs/html'
import type { User } from '../../domain/account/user.ts'
import { leadTimeOf, legTo } from '../../domain/feed/release-train.ts'
import { shortCommit } from '../../domain/release/release.ts'
import { durationInWords } from '../../domain/time.ts'
import { Leg, LiveMark } from '../../views/deployment/journey.tsx'
import { FacetLabel } from '../../views/deployment/labels.tsx'
import { escaped } from '../../views/parts/markup.ts'
import { counted } from '../../views/parts/numbers.ts'
import { Panel, Row } from '../../views/parts/panel.tsx'
import { readableTarget } from '../../views/parts/readable-address.ts'
import { Age, Instant } from '../../views/parts/time-element.tsx'
import { EnvironmentTag, environmentAddress } from '../../views/profile/board.tsx'
import { Frame, type ProjectProps } from './frame.tsx'
import { HeadlineOf, isNamed, Name, releaseAddress, releasesAddress } from './links.tsx'
import { idOfRelease, type News, type Reached, type StopOfRelease, type Train } from './rules.ts'

/** How many stops are shown: each pull request may have an environment. */
const maxStops = 50

/** How many headlines are shown of what is new in an environment. */
const maxHeadlines = 20

type ReleaseProps = ProjectProps & {
  release: Train
  stops: readonly StopOfRelease[]
  news: readonly News[]
}

export function ReleasePage(props: ReleaseProps): JSX.Element {
  const { user, target, release, stops, news, now } = props
  const { username, name } = user
  const [first] = release.deployments
  const title = `${release.version ?? shortCommit(release.commit) ?? ''} of ${readableTarget(target)}`
  const unlisted = stops.length - maxStops
  return (
    <Frame
      {...props}
      address={releaseAddress(username, target, idOfRelease(release))}
      title={title}
      description={`Where ${title} by ${name} is live, when it came there, and what is in it.`}
      heading={<Name of={release} />}
    >
      <p class="headline">
        <HeadlineOf of={first} />
      </p>
      <p class="hint">
        {release.version !== undefined && release.commit !== undefined && (
          <>
            <code safe>{shortCommit(release.commit)}</code> ·{' '}
          </>
        )}
        First announced <Age then={first.deployedAt} now={now} />
        <LeadTime user={user} release={release} />
        {' · '}
        <a href={escaped(releasesAddress(username, target))}>All releases</a>
      </p>
      <Panel id="stops" title="Where it is">
        <ol class="stops">
          {stops.slice(0, maxStops).map((stop, n) => (
            <StopRow {...{ user, target, stop, now }} leg={legTo(stops, n)} />
          ))}
        </ol>
        {unlisted > 0 && <p class="hint">{escaped(`and ${counted(unlisted, 'more environment')}`)}</p>}
      </Panel>
      {news.length > 0 && (
        <Panel id="news" title="What is in it">
          {news.map((one) => (
            <NewsIn {...one} username={username} target={target} />
          ))}
        </Panel>
      )}
    </Frame>
  )
}

function LeadTime({ user, release }: { user: User; release: Train }): JSX.Element {
  const lead = leadTimeOf(release, user.environmentOrder)
  if (lead === null) return ''
  const from = lead.from.environment ?? 'the first announcement'
  return (
    <>
      {' · '}
      <strong safe>{durationInWords(lead.duration) ?? 'under a minute'}</strong>
      {escaped(` from ${from} to ${lead.to.environment ?? ''}`)}
    </>
  )
}

type StopProps = { user: User; target: string; stop: StopOfRelease; leg: number | null; now: Date }

/** When a release reached an environment, and whether it is still there. */
function StopRow({ user, target, stop, leg, now }: StopProps): JSX.Element {
  const { username } = user
  const { environment, first, latest, isLive, next } = stop
  const stayed = next && durationInWords(next.deployedAt.getTime() - latest.deployedAt.getTime())
  return (
    <li>
      {environment === null ? (
        <span class="hint">announced</span>
      ) : (
        <EnvironmentTag {...{ environment }} href={environmentAddress(username, target, environment)} />
      )}
      <span class="reached">
        <a class="quiet" href={`/${username}/${first.id}`}>
          <Instant instant={first.deployedAt} />
        </a>
        <By user={user} of={first} />
      </span>
      <span class="age-of">
        <Leg duration={leg} />
        {isLive && LiveMark}
      </span>
      {(next !== null || latest !== first) && (
        <span class="hint ahead">
          {latest !== first && (
            <>
              Again{' '}
              <a href={`/${username}/${latest.id}`}>
                <Age then={latest.deployedAt} now={now} />
              </a>
              <By user={user} of={latest} />
              {'. '}
            </>
          )}
          {next !== null && (
            <>
              Replaced by <ReleaseLink {...{ username, target }} of={next} />
              {escaped(` after ${stayed ?? 'less than a minute'}`)}
            </>
          )}
        </span>
      )}
    </li>
  )
}

/** " by grace", who started a deployment. */
function By({ of, user }: { of: Reached; user: User }): JSX.Element {
  if (of.actor === undefined) return ''
  return (
    <>
      {' '}
      <FacetLabel facet="actor" of={{ ...of, poster: user }} />
    </>
  )
}

type LinkProps = { username: string; target: string; of: Reached }

/** A link to the release of a deployment or, without one, to the deployment. */
function ReleaseLink({ username, target, of }: LinkProps): JSX.Element {
  const address = isNamed(of) ? releaseAddress(username, target, of.id) : `/${username}/${of.id}`
  return (
    <a href={escaped(address)}>
      <Name of={of} />
    </a>
  )
}

type NewsProps = News & { username: string; target: string }

/** "New in production since v2.3.0", and the headlines. */
function NewsIn({ environments, since, compare, releases, username, target }: NewsProps): JSX.Element {
  const unlisted = releases.length - maxHeadlines
  return (
    <section class="news">
      <h3 class="hint">
        {escaped(`New in ${environments.join(', ')}`)}
        {since !== null && (
          <>
            {' '}
            since <ReleaseLink {...{ username, target }} of={since} />
          </>
        )}
        {compare !== null && (
          <>
            {' · '}
            <a href={escaped(compare)} rel="nofollow ugc noreferrer">
              Compare
            </a>
          </>
        )}
      </h3>
      <ul>
        {releases.slice(0, maxHeadlines).map((release) => (
          <Row aside={<Name of={release} />}>
            <a class="quiet" href={`/${username}/${idOfRelease(release)}`}>
              <HeadlineOf of={release.deployments[0]} />
            </a>
          </Row>
        ))}
      </ul>
      {unlisted > 0 && <p class="hint">{escaped(`and ${counted(unlisted, 'more release')}`)}</p>}
    </section>
  )
}
