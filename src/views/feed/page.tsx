import { Html } from '@elysiajs/html'
import type { User } from '../../domain/account/user.ts'
import type { Category } from '../../domain/category.ts'
import type { Deployment } from '../../domain/deployment.ts'
import { feedAddress, liveAddress } from '../page/address.ts'
import { Layout } from '../page/layout.tsx'
import type { Site } from '../page/site.ts'
import { CategoryFilter } from './category-filter.tsx'
import { EmptyFeed, NothingOlder } from './empty.tsx'
import { DeploymentList, LiveList, NewerDeployments } from './list.tsx'
import { LiveState } from './live.tsx'

type Props = {
  site: Site
  viewer: User | null
  now: Date
  category: Category | null
  deployments: readonly Deployment[]
  older: number | null
  /** Of an older page: the id to page before for the one that it follows, null where that is the newest. */
  newer: number | null
  /** The last event that the list holds; null for an older page, which is not live. */
  seen: number | null
}

export function FeedPage({
  site,
  viewer,
  now,
  category,
  deployments,
  older,
  newer,
  seen,
}: Props): JSX.Element {
  const address = feedAddress({ category })
  const part = { username: null, category, target: null }
  const title = seen === null ? 'Older deployments' : 'Deployments'
  return (
    <Layout site={site} viewer={viewer} title={title} current="feed" canonical={address} feeds={part}>
      <header class="list-head">
        <h1>{title}</h1>
        {seen === null ? (
          <NewerDeployments address={feedAddress({ category, before: newer })} />
        ) : (
          <LiveState />
        )}
      </header>
      <CategoryFilter active={category} href={(category) => feedAddress({ category })} />
      <LiveList
        live={seen === null ? null : { address: liveAddress({ category }), seen }}
        now={now}
        address={address}
      >
        {deployments.length > 0 ? (
          <DeploymentList
            deployments={deployments}
            now={now}
            older={older}
            href={(before) => feedAddress({ category, before })}
          />
        ) : seen === null ? (
          <NothingOlder />
        ) : (
          <EmptyFeed site={site} viewer={viewer} category={category} />
        )}
      </LiveList>
    </Layout>
  )
}
