import { Html } from '@elysiajs/html'
import type { User } from '../../domain/account/user.ts'
import { EmptyDay, NothingMatches, NothingOlder } from '../feed/empty.tsx'
import { profileAddress, projectAddress } from '../page/address.ts'
import { Layout } from '../page/layout.tsx'
import type { Site } from '../page/site.ts'
import { readableTarget } from '../parts/readable-address.ts'
import { DeploymentsOfUser, type ListOfUser } from '../profile/deployments.tsx'
import { OverviewPanels } from '../profile/overview.tsx'
import { ProjectHeader } from './header.tsx'

type Props = Omit<ListOfUser, 'username' | 'target'> & {
  site: Site
  viewer: User | null
  user: User
  /** A target, or a wider scope of domain/target.ts. */
  target: string
}

/** What a user deploys to: a project, or a host with what lies below it. */
export function ProjectPage(props: Props): JSX.Element {
  const { site, viewer, user, target, category, environment, on, overview, seen } = props
  const { username, name } = user
  const readable = readableTarget(target)
  const address = profileAddress(username, { target, category, environment })
  const part = { username, category, target, environment }
  const title = `${readable} by ${name}`
  return (
    <Layout
      site={site}
      viewer={viewer}
      title={seen === null && on === null ? `Older deployments to ${title}` : title}
      description={`What ${name} has deployed to ${readable}, newest first.`}
      canonical={address}
      feeds={part}
    >
      <ProjectHeader user={user} target={target} overview={overview} />
      {overview !== null && <OverviewPanels {...props} overview={overview} address={address} />}
      <DeploymentsOfUser {...props} username={username}>
        {overview === null ? (
          <NothingOlder />
        ) : on === null ? (
          <NothingMatches all={`${projectAddress(username, target)}#list`} />
        ) : (
          <EmptyDay all={address} isFiltered={category !== null || environment !== null} />
        )}
      </DeploymentsOfUser>
    </Layout>
  )
}
