import { Html } from '@elysiajs/html'
import type { User } from '../../domain/account/user.ts'
import type { Count, SearchQuestion } from '../../domain/search/question.ts'
import { allWords } from '../../domain/search/words.ts'
import { feedAddress, liveAddress } from '../page/address.ts'
import { Layout } from '../page/layout.tsx'
import type { Site } from '../page/site.ts'
import { Day } from '../parts/time-element.tsx'
import { NothingFound } from './empty-lists.tsx'
import { ListTop } from './feed-page.tsx'
import { DeploymentList, LiveList, NewerDeployments, type PageOfList } from './list.tsx'
import { LiveState } from './live.tsx'
import { FindForm } from './search-form-and-filters.tsx'
import { queryOf, SearchSummary, Suggestions } from './search-summary.tsx'

type ListProps = PageOfList & {
  asked: SearchQuestion
  /** How far back an incomplete search has looked. */
  reached: Date | null
}

type Props = ListProps & {
  site: Site
  viewer: User | null
  /** Null on an older page. */
  count: Count | null
  people: readonly User[]
  /** Whether the user that was searched for exists. */
  isKnown: boolean
  /** When the newest deployment that cannot be searched yet was announced; null if all can be. */
  unindexed: Date | null
  before: number | null
}

export function SearchPage(props: Props): JSX.Element {
  const { site, viewer, asked, deployments, count, people, isKnown, unindexed, older, before, seen } = props
  const query = queryOf(asked)
  const address = feedAddress(query)
  const isOlder = before !== null
  return (
    <Layout
      {...{ site, viewer }}
      title={`${asked.text} · Search`}
      current="feed"
      feeds={{ ...query, username: null, target: null }}
      head={<meta name="robots" content="noindex" />}
      list={props}
    >
      <ListTop {...{ site, viewer, isOlder }}>
        {isOlder ? (
          <NewerDeployments address={address} text="Newest deployments" />
        ) : (
          seen !== null && <LiveState />
        )}
      </ListTop>
      <FindForm asked={asked} category={asked.category} />
      <div id="results">
        {deployments.length > 0 ? (
          <SearchSummary asked={asked} count={count} />
        ) : (
          <NothingFound {...{ asked, isKnown, isOlder }} isAll={older === null && unindexed === null} />
        )}
        {!isOlder && <Suggestions {...{ asked, people, deployments }} />}
        <LiveList live={seen === null ? null : liveAddress(query)} address={address} isSearch>
          <SearchList {...props} />
        </LiveList>
        {unindexed !== null && (
          <p class="hint unindexed">
            Deployments up to <Day instant={unindexed} /> can’t be searched yet.
          </p>
        )}
      </div>
    </Layout>
  )
}

export function SearchList({ asked, ...list }: ListProps): JSX.Element {
  const href = (before: number) => feedAddress({ ...queryOf(asked), before })
  return <DeploymentList {...list} look={{ words: allWords(asked) }} href={href} />
}
