import { Html } from '@elysiajs/html'
import type { User } from '../../domain/account/user.ts'
import type { Category } from '../../domain/category.ts'
import type { Deployment } from '../../domain/deployment.ts'
import type { Overview } from '../../domain/overview.ts'
import { headBadgeAddress } from '../badge/snippets.ts'
import { ActiveEnvironment } from '../feed/active-environment.tsx'
import { CategoryFilter } from '../feed/category-filter.tsx'
import { EmptyProfile, NothingOlder } from '../feed/empty.tsx'
import { DeploymentList, LiveList, NewestDeployments } from '../feed/list.tsx'
import { LiveState } from '../feed/live.tsx'
import { liveAddress, profileAddress } from '../page/address.ts'
import { Layout } from '../page/layout.tsx'
import type { Site } from '../page/site.ts'
import { attribute } from '../parts/attribute.ts'
import { monthInWords } from '../parts/calendar.ts'
import { Identicon } from '../parts/identicon.tsx'
import { Notice } from '../parts/notice.tsx'
import { readableTarget } from '../parts/readable-address.ts'
import { SubscribeLinks } from '../syndication/links.tsx'
import { OverviewPanels } from './overview.tsx'

type Props = {
  site: Site
  viewer: User | null
  now: Date
  user: User
  since: Date
  category: Category | null
  target: string | null
  environment: string | null
  /** Whether its owner comes from withdrawing a deployment. */
  withdrawn: boolean
  /** Null on an older page, which shows the list alone. */
  overview: Overview | null
  deployments: readonly Deployment[]
  older: number | null
  /** The last event that the list holds; null for an older page, which is not live. */
  seen: number | null
}

export function ProfilePage(props: Props): JSX.Element {
  const { site, viewer, now, user, since, category, target, environment } = props
  const { overview, deployments, older, seen, withdrawn } = props
  const address = profileAddress(user.username, { target, category, environment })
  const part = { username: user.username, category, target, environment }
  const live = liveAddress(part)
  const title = `${user.name} (@${user.username})`
  return (
    <Layout
      site={site}
      viewer={viewer}
      title={seen === null ? `Older deployments of ${title}` : title}
      description={`What ${user.name} has deployed, newest first.`}
      canonical={address}
      feeds={part}
    >
      {withdrawn && viewer?.id === user.id && <Notice text="The deployment is withdrawn." />}
      <ProfileHeader user={user} since={since} />
      {overview !== null && <OverviewPanels {...props} overview={overview} address={address} />}
      <header class="list-head" id="list">
        <h2>{seen === null ? 'Older deployments' : 'Deployments'}</h2>
        {seen === null ? <NewestDeployments address={`${address}#list`} /> : <LiveState />}
      </header>
      <CategoryFilter
        active={category}
        href={(category) => `${profileAddress(user.username, { target, category })}#list`}
      />
      {target !== null && (
        <ActiveTarget
          target={target}
          clear={`${profileAddress(user.username, { target: null, category, environment })}#list`}
        />
      )}
      {environment !== null && (
        <ActiveEnvironment
          environment={environment}
          clear={`${profileAddress(user.username, { target, category })}#list`}
        />
      )}
      <LiveList
        live={seen === null ? null : { address: live, seen }}
        now={now}
        address={address}
        of={user.username}
      >
        {deployments.length > 0 ? (
          <DeploymentList
            deployments={deployments}
            now={now}
            older={older}
            href={(before) => profileAddress(user.username, { target, category, environment, before })}
            place="person"
          />
        ) : seen === null ? (
          <NothingOlder />
        ) : (
          <EmptyProfile
            site={site}
            user={user}
            viewer={viewer}
            filtered={category !== null || target !== null || environment !== null}
          />
        )}
      </LiveList>
      <p class="follow">
        <SubscribeLinks {...part} />
      </p>
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
        <p class="hint" safe>{`@${user.username} · joined ${monthInWords(since)}`}</p>
      </div>
      <img class="badge" src={attribute(headBadgeAddress(user.username))} alt="Last deployment" height="20" />
    </header>
  )
}

function ActiveTarget({ target, clear }: { target: string; clear: string }): JSX.Element {
  return (
    <p class="active-target">
      Only deployments for{' '}
      <strong>
        <bdi safe>{readableTarget(target)}</bdi>
      </strong>
      . <a href={attribute(clear)}>Show all targets</a>
    </p>
  )
}
