import { Html } from '@elysiajs/html'
import type { User } from '../../domain/account/user.ts'
import type { Category } from '../../domain/category.ts'
import type { LiveEnvironment } from '../../domain/environments.ts'
import type { Overview } from '../../domain/overview.ts'
import { startOfDay } from '../../domain/time.ts'
import { HeadBadge } from '../badge/image.tsx'
import { latestIn, OpenGraph } from '../deployment/link-preview.tsx'
import { NothingMatches } from '../feed/empty.tsx'
import { profileAddress, projectAddress } from '../page/address.ts'
import { Layout } from '../page/layout.tsx'
import type { Site } from '../page/site.ts'
import { attribute } from '../parts/attributes.ts'
import { monthInWords } from '../parts/calendar.ts'
import { Identicon } from '../parts/identicon.tsx'
import { readableTarget } from '../parts/readable-address.ts'
import type { DeploymentsOfKind } from './deployments.tsx'
import { DeploymentsOfUser, dayIn, overviewIn } from './deployments.tsx'
import { Environments } from './environments.tsx'
import { OverviewPanels } from './overview.tsx'

type Props = DeploymentsOfKind & {
  site: Site
  viewer: User | null
  category: Category | null
  environment: string | null
  user: User
  /** A target, or a wider scope of domain/target.ts. */
  target: string
  /** What is live in each environment of the target. */
  environments: readonly LiveEnvironment[]
}

/** The page of a project of a user, or of a host with everything below it. */
export function ProjectPage(props: Props): JSX.Element {
  const { site, viewer, user, target, category, environment, environments, kind } = props
  const overview = overviewIn(props)
  const { username, name } = user
  const readable = readableTarget(target)
  const address = profileAddress(username, { target, category, environment })
  const part = { username, category, target, environment }
  const title = `${readable} by ${name}`
  const description = latestIn(props) ?? `What ${name} has deployed to ${readable}, newest first.`
  return (
    <Layout
      site={site}
      viewer={viewer}
      title={kind === 'older' ? `Older deployments to ${title}` : title}
      description={description}
      canonical={address}
      feeds={part}
      head={
        <OpenGraph address={site.baseUrl + projectAddress(username, target)} {...{ title, description }} />
      }
      list={props}
    >
      <ProjectHeader user={user} target={target} overview={overview} />
      {overview !== null && (
        <OverviewPanels {...props} on={dayIn(props)} overview={overview} address={address}>
          <Environments username={username} target={target} live={environments} now={overview.now} />
        </OverviewPanels>
      )}
      <DeploymentsOfUser
        {...props}
        username={username}
        ifNone={() => <NothingMatches all={`${projectAddress(username, target)}#list`} />}
      />
    </Layout>
  )
}

type ProjectHeaderProps = {
  user: User
  target: string
  /** Null on an older page. */
  overview: Overview | null
}

/** The owner, the name and the address of a project. */
function ProjectHeader({ user, target, overview }: ProjectHeaderProps): JSX.Element {
  const [host = '', ...path] = readableTarget(target).split('/')
  return (
    <header class="project-head">
      <p class="owner">
        <a class="quiet" href={`/${user.username}`}>
          <Identicon username={user.username} />
          <bdi safe>{user.name}</bdi>
        </a>
      </p>
      <h1>
        <bdi dir="ltr">
          {path.length > 0 && <span class="host" safe>{`${host}/`}</span>}
          <span safe>{path.length > 0 ? path.join('/') : host}</span>
        </bdi>
      </h1>
      <HeadBadge username={user.username} target={target} overview={overview} />
      <p class="hint">
        {overview !== null && overview.firstDay !== null && (
          <span safe>{`First deployment in ${monthInWords(startOfDay(overview.firstDay))} · `}</span>
        )}
        <a
          class="outward"
          href={attribute(`https://${target.replace(/\/-$/, '')}`)}
          rel="nofollow ugc noreferrer"
        >
          {path.length > 0 ? 'Open on ' : 'Open '}
          <bdi dir="ltr" safe>
            {host}
          </bdi>
        </a>
      </p>
    </header>
  )
}
