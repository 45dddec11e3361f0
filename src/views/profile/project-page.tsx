import { Html } from '@elysiajs/html'
import type { Deployment } from '../../domain/deployment.ts'
import type { LiveEnvironment } from '../../domain/environment/board.ts'
import { environmentKey } from '../../domain/environment/environment.ts'
import { pageOfTarget } from '../../domain/link.ts'
import type { Overview } from '../../domain/statistics/overview.ts'
import { startOfDay } from '../../domain/time.ts'
import { HeadBadge } from '../badge/image.tsx'
import type { PageProps } from '../page/site.ts'
import { PageOwner } from '../parts/avatar.tsx'
import { monthInWords } from '../parts/dates.ts'
import { escaped } from '../parts/markup.ts'
import { readableTarget } from '../parts/readable-address.ts'
import { Environments } from './board.tsx'
import type { ListOfUser } from './deployments.tsx'
import { type Latest, PageOfUser } from './overview.tsx'

type Props = PageProps &
  ListOfUser & {
    year: 'list' | null
    target: string
    /** What is live in each environment of the target. */
    board: readonly LiveEnvironment[]
    /** The newest deployment to each environment of the target and of everything below it, the newest first. */
    live: readonly Deployment[]
  }

export function ProjectPage({ board, live, ...props }: Props): JSX.Element {
  const { site, user, target, by, overview } = props
  const { username } = user
  const latest = overview === null ? null : latestOf(overview, live, by.environment)
  const [host = '', ...path] = readableTarget(target).split('/')
  const page = pageOfTarget(target)
  return (
    <PageOfUser
      {...props}
      environments={live.map(({ environment = '' }) => environment)}
      latest={latest}
      board={<Environments {...{ username, target }} live={board} now={(overview ?? props).now} />}
    >
      <header class="project-head">
        <PageOwner user={user} />
        <h1>
          <bdi dir="ltr">
            {path.length > 0 && <span class="host" safe>{`${host}/`}</span>}
            <span safe>{path.length > 0 ? path.join('/') : host}</span>
          </bdi>
        </h1>
        <HeadBadge {...{ username, target, overview }} alone={latest?.isAlone ? latest : null} />
        <p class="hint">
          {overview !== null && overview.firstDay !== null && (
            <span
              safe
            >{`First deployment in ${monthInWords(startOfDay(overview.firstDay))}${page === null ? '' : ' · '}`}</span>
          )}
          {page !== null && (
            <a class="outward" href={escaped(page)} rel="nofollow ugc noreferrer">
              {path.length > 0 ? 'Open on ' : 'Open '}
              <bdi dir="ltr">{escaped(host)}</bdi>
            </a>
          )}
          {overview?.targets.length === 0 && site.slots.besideProject(username, target, props.deployments)}
        </p>
      </header>
    </PageOfUser>
  )
}

/** The latest deployment to the shown environment, or else to any, with its environment if there are several. */
function latestOf({ recent }: Overview, live: readonly Deployment[], shown: string | undefined): Latest {
  const one = live.find(({ environment = '' }) => environmentKey(environment) === shown)
  if (one !== undefined) {
    return { environment: one.environment ?? null, deployedAt: one.deployedAt, isAlone: true }
  }
  const [deployedAt = null] = recent
  const [newest] = live
  const isNewest = live.length > 1 && newest?.deployedAt.getTime() === deployedAt?.getTime()
  return { environment: (isNewest ? newest?.environment : null) ?? null, deployedAt, isAlone: false }
}
