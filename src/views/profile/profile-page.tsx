import { Html } from '@elysiajs/html'
import type { User } from '../../domain/account/user.ts'
import { startOfDay } from '../../domain/ages-and-days.ts'
import type { Category } from '../../domain/category.ts'
import type { Overview } from '../../domain/statistics/overview-and-heat.ts'
import { HeadBadge } from '../badge/image.tsx'
import { latestIn, OpenGraph } from '../deployment/link-preview.tsx'
import { EmptyProfile, NothingMatches } from '../feed/empty-lists.tsx'
import { profileAddress } from '../page/address.ts'
import { Layout } from '../page/layout.tsx'
import type { Site } from '../page/site.ts'
import { monthInWords } from '../parts/dates.ts'
import { Identicon } from '../parts/identicon.tsx'
import { Notice } from '../parts/panels-and-forms.tsx'
import { type DeploymentsOfKind, DeploymentsOfUser, dayIn, overviewIn } from './deployments.tsx'
import { OverviewPanels } from './overview.tsx'

type Props = DeploymentsOfKind & {
  site: Site
  viewer: User | null
  category: Category | null
  environment: string | null
  user: User
  since: Date
  /** The names of the user's environments, the newest first; none on an older page. */
  environments: readonly string[]
  /** Whether its owner has just withdrawn a deployment. */
  withdrawn: boolean
  year: 'list' | null
}

export function ProfilePage(props: Props): JSX.Element {
  const { site, viewer, user, since, category, environment, kind, withdrawn } = props
  const overview = overviewIn(props)
  const address = profileAddress(user.username, { target: null, category, environment })
  const part = { username: user.username, category, target: null, environment }
  const isFiltered = category !== null || environment !== null
  const title = `${user.name} (@${user.username})`
  const description = latestIn(props) ?? `What ${user.name} has deployed, newest first.`
  return (
    <Layout
      site={site}
      viewer={viewer}
      title={kind === 'older' ? `Older deployments by ${title}` : title}
      description={description}
      canonical={address}
      feeds={part}
      head={
        <OpenGraph type="profile" address={`${site.baseUrl}/${user.username}`} {...{ title, description }} />
      }
      list={props}
    >
      {withdrawn && viewer?.id === user.id && <Notice text="Deployment withdrawn." />}
      <ProfileHeader user={user} since={since} overview={overview} />
      {overview !== null && <OverviewPanels {...props} target={null} on={dayIn(props)} overview={overview} />}
      <DeploymentsOfUser
        {...props}
        username={user.username}
        target={null}
        ifNone={() =>
          isFiltered ? (
            <NothingMatches all={`/${user.username}#list`} />
          ) : (
            <EmptyProfile site={site} user={user} viewer={viewer} />
          )
        }
      />
    </Layout>
  )
}

type HeaderProps = {
  user: User
  since: Date
  /** Null on an older page. */
  overview: Overview | null
}

function ProfileHeader({ user, since, overview }: HeaderProps): JSX.Element {
  const firstDay = overview?.firstDay ?? null
  const begun =
    firstDay === null
      ? `joined ${monthInWords(since)}`
      : `first deployment in ${monthInWords(startOfDay(firstDay))}`
  return (
    <header class="profile">
      <Identicon username={user.username} />
      <div class="who">
        <h1>
          <bdi safe>{user.name}</bdi>
        </h1>
        <p class="hint" safe>{`@${user.username} · ${begun}`}</p>
      </div>
      <HeadBadge username={user.username} overview={overview} />
    </header>
  )
}
