import { Html } from '@elysiajs/html'
import type { User } from '../../domain/account/user.ts'
import type { Category } from '../../domain/category.ts'
import type { Deployment } from '../../domain/deployment.ts'
import { OpenGraph } from '../deployment/link-preview.tsx'
import { feedAddress, liveAddress } from '../page/address.ts'
import { Layout, summary, tagline } from '../page/layout.tsx'
import type { Site } from '../page/site.ts'
import { EmptyFeed, NothingMatches, NothingOlder } from './empty-lists.tsx'
import { DeploymentList, LiveList, NewerDeployments } from './list.tsx'
import { LiveState } from './live.tsx'
import { Pulse } from './pulse.tsx'
import { ActiveEnvironment, FindForm } from './search-form-and-filters.tsx'

type ListProps = {
  now: Date
  category: Category | null
  environment: string | null
  deployments: readonly Deployment[]
  older: number | null
}

type Props = ListProps & {
  site: Site
  viewer: User | null
} & (
    | {
        kind: 'newest'
        /** The id of the last event that the list holds, from which its live stream continues. */
        seen: number
        /** The number of deployments in each hour of the last two days; null if not shown or not known. */
        hours?: readonly number[] | null
      }
    | {
        kind: 'older'
        /** The `before` id of the page that precedes this one; null if that is the newest page. */
        newer: number | null
      }
  )

export function FeedPage(props: Props): JSX.Element {
  const { site, viewer, category, environment, deployments } = props
  const address = feedAddress({ category, environment })
  const part = { username: null, category, environment, target: null }
  const title = props.kind === 'older' ? 'Older deployments' : 'Deployments'
  return (
    <Layout
      site={site}
      viewer={viewer}
      title={title}
      current="feed"
      canonical={address}
      feeds={part}
      head={<OpenGraph type="website" title={tagline} description={summary} address={site.baseUrl} />}
      list={props}
    >
      <div id="list-top">
        <header class="list-head">
          <h1>{title}</h1>
          {props.kind === 'older' ? (
            <NewerDeployments address={feedAddress({ category, environment, before: props.newer })} />
          ) : (
            <LiveState />
          )}
        </header>
        {props.kind === 'newest' && viewer === null && <Lede site={site} />}
      </div>
      <FindForm category={category} />
      <div id="results">
        {props.kind === 'newest' && deployments.length > 0 && <Pulse hours={props.hours ?? []} />}
        {environment !== null && (
          <ActiveEnvironment environment={environment} clear={feedAddress({ category })} />
        )}
        <LiveList
          live={props.kind === 'older' ? null : liveAddress({ category, environment })}
          address={address}
        >
          {deployments.length > 0 ? (
            <FeedList {...props} />
          ) : props.kind === 'older' ? (
            <NothingOlder />
          ) : environment !== null ? (
            <NothingMatches all={feedAddress({ category })} />
          ) : (
            <EmptyFeed site={site} viewer={viewer} category={category} />
          )}
        </LiveList>
      </div>
    </Layout>
  )
}

/** What this is and how to join, for a reader who is not signed in. */
export function Lede({ site }: { site: Site }): JSX.Element {
  return (
    <p class="lede">
      {tagline} <a href={site.registrationOpen ? '/sign-up' : '/docs'}>Announce yours</a> with one HTTP
      request.
    </p>
  )
}

/** The list alone, which htmx puts below the page before it. */
export function FeedList({ now, category, environment, deployments, older }: ListProps): JSX.Element {
  return (
    <DeploymentList
      deployments={deployments}
      now={now}
      older={older}
      href={(before) => feedAddress({ category, environment, before })}
    />
  )
}
