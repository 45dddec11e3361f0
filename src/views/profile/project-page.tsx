import { Html } from '@elysiajs/html'
import type { User } from '../../domain/account/user.ts'
import { startOfDay } from '../../domain/ages-and-days.ts'
import type { Category } from '../../domain/category.ts'
import type { Deployment } from '../../domain/deployment.ts'
import type { LiveEnvironment } from '../../domain/environments.ts'
import { environmentKey } from '../../domain/release.ts'
import type { Overview } from '../../domain/statistics/overview-and-heat.ts'
import { HeadBadge } from '../badge/image.tsx'
import { latestIn, OpenGraph } from '../deployment/link-preview.tsx'
import { NothingMatches } from '../feed/empty-lists.tsx'
import { profileAddress, projectAddress } from '../page/address.ts'
import { Layout } from '../page/layout.tsx'
import type { Site } from '../page/site.ts'
import { monthInWords } from '../parts/dates.ts'
import { escaped } from '../parts/escaping-and-templates.ts'
import { Identicon } from '../parts/identicon.tsx'
import { readableTarget } from '../parts/readable-address.ts'
import { type DeploymentsOfKind, DeploymentsOfUser, dayIn, overviewIn } from './deployments.tsx'
import { Environments } from './environments.tsx'
import { type Latest, OverviewPanels } from './overview.tsx'

type Props = DeploymentsOfKind & {
  site: Site
  viewer: User | null
  category: Category | null
  environment: string | null
  year: 'list' | null
  user: User
  /** A target, or a wider scope of domain/target.ts. */
  target: string
  /** What is live in each environment of the target. */
  board: readonly LiveEnvironment[]
  /** The newest deployment to each environment of the target and of everything below it, the newest first. */
  live: readonly Deployment[]
}

/** The page of a project of a user, or of a host with everything below it. */
export function ProjectPage(props: Props): JSX.Element {
  const { site, viewer, user, target, category, environment, board, live, kind } = props
  const overview = overviewIn(props)
  const { username, name } = user
  const readable = readableTarget(target)
  const address = profileAddress(username, { target, category, environment })
  const part = { username, category, target, environment }
  const environments = live.map(({ environment = '' }) => environment)
  const latest = overview === null ? null : latestOf(overview, live, environment)
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
      <ProjectHeader user={user} target={target} overview={overview} latest={latest} />
      {overview !== null && (
        <OverviewPanels
          {...props}
          environments={environments}
          on={dayIn(props)}
          overview={overview}
          latest={latest}
        >
          <Environments username={username} target={target} live={board} now={overview.now} />
        </OverviewPanels>
      )}
      <DeploymentsOfUser
        {...props}
        username={username}
        environments={environments}
        ifNone={() => <NothingMatches all={`${projectAddress(username, target)}#list`} />}
      />
    </Layout>
  )
}

/** The latest deployment to the shown environment, or else to any, with its environment if there are several. */
function latestOf({ recent }: Overview, live: readonly Deployment[], shown: string | null): Latest {
  const one = live.find(({ environment = '' }) => environmentKey(environment) === shown)
  if (one !== undefined) return { ...whereAndWhen(one), isAlone: true }
  const [deployedAt = null] = recent
  const [newest] = live
  const isNewest = live.length > 1 && newest?.deployedAt.getTime() === deployedAt?.getTime()
  return {
    environment: null,
    deployedAt,
    ...(isNewest && newest ? whereAndWhen(newest) : {}),
    isAlone: false,
  }
}

function whereAndWhen({ environment, deployedAt }: Deployment) {
  return { environment: environment ?? null, deployedAt }
}

type ProjectHeaderProps = {
  user: User
  target: string
  /** Null on an older page. */
  overview: Overview | null
  latest: Latest | null
}

/** The owner, the name and the address of a project. */
function ProjectHeader({ user, target, overview, latest }: ProjectHeaderProps): JSX.Element {
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
      <HeadBadge
        username={user.username}
        target={target}
        overview={overview}
        alone={latest?.isAlone ? latest : null}
      />
      <p class="hint">
        {overview !== null && overview.firstDay !== null && (
          <span safe>{`First deployment in ${monthInWords(startOfDay(overview.firstDay))} · `}</span>
        )}
        <a
          class="outward"
          href={escaped(`https://${target.replace(/\/-$/, '')}`)}
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
