import { Html } from '@elysiajs/html'
import type { User } from '../../domain/account/user.ts'
import type { Category } from '../../domain/category.ts'
import type { Deployment } from '../../domain/deployment.ts'
import type { SearchQuestion } from '../../domain/search/question.ts'
import { feedAddress, liveAddress } from '../page/address.ts'
import { Layout } from '../page/layout.tsx'
import type { Site } from '../page/site.ts'
import { attribute } from '../parts/attributes.ts'
import { Day } from '../parts/time-element.tsx'
import { FindForm } from './filters.tsx'
import { DeploymentList, LiveList } from './list.tsx'
import { LiveState } from './live.tsx'
import { NothingFound, SearchSummary } from './search-summary.tsx'

type ListProps = {
  now: Date
  asked: SearchQuestion
  category: Category | null
  deployments: readonly Deployment[]
  /** The id to continue from, if more was found or the search is incomplete. */
  older: number | null
  /** How far back an incomplete search has looked. */
  reached: Date | null
}

type Props = ListProps & {
  site: Site
  viewer: User | null
  /** Whether the user that was searched for exists. */
  isKnown: boolean
  /** The end of the deployments that cannot be searched yet; null if all can. */
  unindexed: Date | null
  before: number | null
  seen: number | null
}

/** The page of search results in the feed. */
export function SearchPage(props: Props): JSX.Element {
  const { site, viewer, asked, category, deployments, older, before, seen } = props
  const address = feedAddress({ q: asked.text, category })
  const isAll = older === null && props.unindexed === null
  const count = isAll && before === null && deployments.length > 0 ? deployments.length : null
  return (
    <Layout
      site={site}
      viewer={viewer}
      title={`${asked.text} · Search`}
      current="feed"
      feeds={{ q: asked.text, username: null, category, target: null }}
      head={<meta name="robots" content="noindex" />}
      list={props}
    >
      <header class="list-head">
        <h1>{before === null ? 'Deployments' : 'Older deployments'}</h1>
        {before === null ? (
          seen !== null && <LiveState />
        ) : (
          <a class="newer" href={attribute(address)}>
            Newest deployments
          </a>
        )}
      </header>
      <FindForm q={asked.text} category={category} />
      {deployments.length > 0 && <SearchSummary asked={asked} category={category} count={count} />}
      {deployments.length === 0 && (
        <NothingFound
          asked={asked}
          category={category}
          isKnown={props.isKnown}
          isOlder={before !== null}
          isAll={isAll}
        />
      )}
      <LiveList
        live={seen === null ? null : liveAddress({ q: asked.text, category })}
        address={address}
        isSearch
      >
        <SearchList {...props} />
      </LiveList>
      {props.unindexed !== null && (
        <p class="hint unindexed">
          Deployments up to <Day instant={props.unindexed} /> can’t be searched yet.
        </p>
      )}
    </Layout>
  )
}

/** The list alone, which htmx puts below the page before it. */
export function SearchList({ now, asked, category, deployments, older, reached }: ListProps): JSX.Element {
  return (
    <DeploymentList
      deployments={deployments}
      now={now}
      older={older}
      reached={reached}
      words={asked.words}
      href={(before) => feedAddress({ q: asked.text, category, before })}
    />
  )
}
