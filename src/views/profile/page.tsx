import { Html } from '@elysiajs/html'
import type { Category } from '../../domain/category.ts'
import type { Deployment } from '../../domain/deployment.ts'
import type { Overview } from '../../domain/overview.ts'
import type { User } from '../../domain/user.ts'
import { BadgeEmbed } from '../badge/panel.tsx'
import { CategoryFilter } from '../feed/category-filter.tsx'
import { EmptyProfile } from '../feed/empty.tsx'
import { DeploymentList, LiveList } from '../feed/list.tsx'
import { LiveState } from '../feed/live.tsx'
import { liveAddress, profileAddress } from '../page/address.ts'
import { Layout } from '../page/layout.tsx'
import type { Site } from '../page/site.ts'
import { attribute } from '../parts/attribute.ts'
import { monthInWords } from '../parts/calendar.ts'
import { Identicon } from '../parts/identicon.tsx'
import { Statistics } from './statistics.tsx'
import { Targets } from './targets.tsx'
import { Year } from './year.tsx'

type Props = {
  site: Site
  viewer: User | null
  now: Date
  user: User
  since: Date
  category: Category | null
  target: string | null
  /** Null on an older page, which shows the list alone. */
  overview: Overview | null
  deployments: readonly Deployment[]
  older: number | null
  /** The last event that the list holds; null for an older page, which is not live. */
  seen: number | null
}

export function ProfilePage(props: Props): JSX.Element {
  const { site, viewer, now, user, since, category, target } = props
  const { overview, deployments, older, seen } = props
  const address = liveAddress({ username: user.username, category, target })
  return (
    <Layout
      site={site}
      viewer={viewer}
      title={`${user.name} (@${user.username})`}
      description={`What ${user.name} has deployed, newest first.`}
      canonical={profileAddress(user.username, { target, category })}
    >
      <ProfileHeader user={user} since={since} />
      {overview !== null && <Panels {...props} overview={overview} />}
      <header class="list-head" id="list">
        <h2>Deployments</h2>
        {seen !== null && <LiveState />}
      </header>
      <CategoryFilter
        active={category}
        href={(category) => `${profileAddress(user.username, { target, category })}#list`}
      />
      {target !== null && (
        <ActiveTarget
          target={target}
          clear={`${profileAddress(user.username, { target: null, category })}#list`}
        />
      )}
      <LiveList live={seen === null ? null : { address, seen }} now={now}>
        {deployments.length === 0 ? (
          <EmptyProfile
            site={site}
            user={user}
            viewer={viewer}
            filtered={category !== null || target !== null}
          />
        ) : (
          <DeploymentList
            deployments={deployments}
            now={now}
            older={older}
            href={(before) => profileAddress(user.username, { target, category, before })}
          />
        )}
      </LiveList>
    </Layout>
  )
}

function ProfileHeader({ user, since }: { user: User; since: Date }): JSX.Element {
  return (
    <header class="profile">
      <Identicon username={user.username} />
      <div class="who">
        <h1>
          <bdi safe>{user.name}</bdi>
        </h1>
        <p class="hint" safe>{`@${user.username} · shipping since ${monthInWords(since)}`}</p>
      </div>
      <img class="badge" src={`/badge/${user.username}.svg`} alt="Last deployment" height="20" />
    </header>
  )
}

/** The numbers, the year and the targets of a user, and the badge to embed. */
function Panels({ site, user, category, target, overview }: Props & { overview: Overview }): JSX.Element {
  const targets = overview.targets.map(({ target }) => target)
  const embed = <BadgeEmbed site={site} username={user.username} targets={targets} target={target} />
  if (overview.recent.length === 0) return embed
  return (
    <>
      <Statistics overview={overview} />
      <Year overview={overview} />
      <div class="panels">
        <Targets overview={overview} username={user.username} category={category} active={target} />
        {embed}
      </div>
    </>
  )
}

function ActiveTarget({ target, clear }: { target: string; clear: string }): JSX.Element {
  return (
    <p class="active-target">
      Only deployments for{' '}
      <strong>
        <bdi safe>{target}</bdi>
      </strong>
      . <a href={attribute(clear)}>Show all targets</a>
    </p>
  )
}
