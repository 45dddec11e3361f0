import { Html } from '@elysiajs/html'
import type { Category } from '../domain/category.ts'
import type { Deployment } from '../domain/deployment.ts'
import type { User } from '../domain/user.ts'
import { liveAddress, profileAddress } from './address.ts'
import { attribute } from './attribute.ts'
import { BadgeEmbed } from './badge-embed.tsx'
import { monthInWords } from './calendar.ts'
import { CategoryFilter } from './category-filter.tsx'
import { DeploymentList, LiveList } from './deployment-list.tsx'
import { Identicon } from './identicon.tsx'
import { Layout } from './layout.tsx'
import { LiveState } from './live.tsx'
import type { Site } from './site.ts'

type Props = {
  site: Site
  viewer: User | null
  now: Date
  user: User
  since: Date
  category: Category | null
  target: string | null
  deployments: readonly Deployment[]
  older: number | null
  /** The last event that the list holds; null for an older page, which is not live. */
  seen: number | null
}

export function ProfilePage(props: Props): JSX.Element {
  const { site, viewer, now, user, since, category, target, deployments, older, seen } = props
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
      <BadgeEmbed site={site} username={user.username} />
      <header class="list-head">
        <h2>Deployments</h2>
        {seen !== null && <LiveState />}
      </header>
      <CategoryFilter
        active={category}
        href={(category) => profileAddress(user.username, { target, category })}
      />
      {target !== null && (
        <ActiveTarget target={target} clear={profileAddress(user.username, { target: null, category })} />
      )}
      <LiveList live={seen === null ? null : { address, seen }} now={now}>
        {deployments.length === 0 ? (
          <NothingYet user={user} viewer={viewer} filtered={category !== null || target !== null} />
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

type NothingProps = { user: User; viewer: User | null; filtered: boolean }

function NothingYet({ user, viewer, filtered }: NothingProps): JSX.Element {
  return (
    <section class="panel stack empty">
      <h2>{filtered ? 'No deployments match' : 'No deployments yet'}</h2>
      <p>
        <WayOn user={user} viewer={viewer} filtered={filtered} />
      </p>
    </section>
  )
}

function WayOn({ user, viewer, filtered }: NothingProps): JSX.Element {
  if (filtered) return <a href={`/${user.username}`}>Show all deployments</a>
  if (viewer?.id !== user.id) return <>They appear here as soon as a pipeline announces one.</>
  return (
    <>
      <a href="/settings">Your settings</a> hold the token and the command that announce one.
    </>
  )
}
