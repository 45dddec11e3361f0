import { Html } from '@elysiajs/html'
import type { User } from '../../domain/account/user.ts'
import { startOf } from '../../domain/time.ts'
import { headBadgeAddress } from '../badge/snippets.ts'
import { EmptyDay, EmptyProfile, NothingMatches, NothingOlder } from '../feed/empty.tsx'
import { profileAddress } from '../page/address.ts'
import { Layout } from '../page/layout.tsx'
import type { Site } from '../page/site.ts'
import { attribute } from '../parts/attribute.ts'
import { monthInWords } from '../parts/calendar.ts'
import { Identicon } from '../parts/identicon.tsx'
import { Notice } from '../parts/notice.tsx'
import { DeploymentsOfUser, type ListOfUser } from './deployments.tsx'
import { OverviewPanels } from './overview.tsx'

type Props = Omit<ListOfUser, 'username' | 'target'> & {
  site: Site
  viewer: User | null
  user: User
  since: Date
  /** Whether its owner comes from withdrawing a deployment. */
  withdrawn: boolean
}

export function ProfilePage(props: Props): JSX.Element {
  const { site, viewer, user, since, category, environment, on, overview, seen, withdrawn } = props
  const address = profileAddress(user.username, { target: null, category, environment })
  const part = { username: user.username, category, target: null, environment }
  const isFiltered = category !== null || environment !== null
  const title = `${user.name} (@${user.username})`
  return (
    <Layout
      site={site}
      viewer={viewer}
      title={seen === null && on === null ? `Older deployments of ${title}` : title}
      description={`What ${user.name} has deployed, newest first.`}
      canonical={address}
      feeds={part}
    >
      {withdrawn && viewer?.id === user.id && <Notice text="The deployment is withdrawn." />}
      <ProfileHeader user={user} since={since} firstDay={overview?.firstDay ?? null} />
      {overview !== null && <OverviewPanels {...props} target={null} overview={overview} address={address} />}
      <DeploymentsOfUser {...props} username={user.username} target={null}>
        {overview === null ? (
          <NothingOlder />
        ) : on !== null ? (
          <EmptyDay all={address} isFiltered={isFiltered} />
        ) : isFiltered ? (
          <NothingMatches all={`/${user.username}#list`} />
        ) : (
          <EmptyProfile site={site} user={user} viewer={viewer} />
        )}
      </DeploymentsOfUser>
    </Layout>
  )
}

type HeaderProps = {
  user: User
  since: Date
  /** The day of the first deployment; null without one, and on an older page. */
  firstDay: number | null
}

function ProfileHeader({ user, since, firstDay }: HeaderProps): JSX.Element {
  const begun =
    firstDay === null
      ? `joined ${monthInWords(since)}`
      : `first deployment in ${monthInWords(startOf(firstDay))}`
  return (
    <header class="profile">
      <Identicon username={user.username} />
      <div class="who">
        <h1>
          <bdi safe>{user.name}</bdi>
        </h1>
        <p class="hint" safe>{`@${user.username} · ${begun}`}</p>
      </div>
      <img class="badge" src={attribute(headBadgeAddress(user.username))} alt="Last deployment" height="20" />
    </header>
  )
}
