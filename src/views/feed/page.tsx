import { Html } from '@elysiajs/html'
import type { User } from '../../domain/account/user.ts'
import type { Category } from '../../domain/category.ts'
import type { Deployment } from '../../domain/deployment.ts'
import { feedAddress, liveAddress } from '../page/address.ts'
import { Layout } from '../page/layout.tsx'
import type { Site } from '../page/site.ts'
import { ActiveEnvironment } from './active-environment.tsx'
import { EmptyFeed, NothingMatches, NothingOlder } from './empty.tsx'
import { FindForm } from './find.tsx'
import { DeploymentList, LiveList, NewerDeployments } from './list.tsx'
import { LiveState } from './live.tsx'

type Props = {
  site: Site
  viewer: User | null
  now: Date
  category: Category | null
  environment: string | null
  deployments: readonly Deployment[]
  older: number | null
  /** Of an older page: the id to page before for the one that it follows, null where that is the newest. */
  newer: number | null
  /** The last event that the list holds; null for an older page, which is not live. */
  seen: number | null
}

export function FeedPage(props: Props): JSX.Element {
  const { site, viewer, now, category, environment, deployments, older, newer, seen } = props
  const address = feedAddress({ category, environment })
  const part = { username: null, category, environment, target: null }
  const title = seen === null ? 'Older deployments' : 'Deployments'
  return (
    <Layout site={site} viewer={viewer} title={title} current="feed" canonical={address} feeds={part}>
      <header class="list-head">
        <h1>{title}</h1>
        {seen === null ? (
          <NewerDeployments address={feedAddress({ category, environment, before: newer })} />
        ) : (
          <LiveState />
        )}
      </header>
      <FindForm category={category} />
      {environment !== null && (
        <ActiveEnvironment environment={environment} clear={feedAddress({ category })} />
      )}
      <LiveList
        live={seen === null ? null : { address: liveAddress({ category, environment }), seen }}
        now={now}
        address={address}
      >
        {deployments.length > 0 ? (
          <DeploymentList
            deployments={deployments}
            now={now}
            older={older}
            href={(before) => feedAddress({ category, environment, before })}
          />
        ) : seen === null ? (
          <NothingOlder />
        ) : environment !== null ? (
          <NothingMatches all={feedAddress({ category })} />
        ) : (
          <EmptyFeed site={site} viewer={viewer} category={category} />
        )}
      </LiveList>
    </Layout>
  )
}
