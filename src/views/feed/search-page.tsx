import { Html } from '@elysiajs/html'
import type { User } from '../../domain/account/user.ts'
import type { Category } from '../../domain/category.ts'
import type { Deployment } from '../../domain/deployment.ts'
import type { Question } from '../../domain/search/question.ts'
import { feedAddress, liveAddress } from '../page/address.ts'
import { Layout } from '../page/layout.tsx'
import type { Site } from '../page/site.ts'
import { attribute } from '../parts/attribute.ts'
import { Day } from '../parts/time.tsx'
import { FindForm } from './find.tsx'
import { DeploymentList, LiveList } from './list.tsx'
import { LiveState } from './live.tsx'
import { NothingFound, Reading } from './reading.tsx'

type Props = {
  site: Site
  viewer: User | null
  now: Date
  asked: Question
  category: Category | null
  /** Whether there is a user of the name that was asked for. */
  isKnown: boolean
  deployments: readonly Deployment[]
  /** The id to go on from, whether more was found or not everything was looked at. */
  older: number | null
  /** How far back was looked at, if not at everything. */
  reached: Date | null
  /** What is older cannot be searched yet. */
  unindexed: Date | null
  before: number | null
  seen: number | null
}

/** What is found in the feed. */
export function SearchPage(props: Props): JSX.Element {
  const { site, viewer, now, asked, category, deployments, older, reached, before, seen } = props
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
      {deployments.length > 0 && <Reading asked={asked} category={category} count={count} />}
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
        live={seen === null ? null : { address: liveAddress({ q: asked.text, category }), seen }}
        now={now}
        address={address}
      >
        <DeploymentList
          deployments={deployments}
          now={now}
          older={older}
          reached={reached}
          words={asked.words}
          href={(before) => feedAddress({ q: asked.text, category, before })}
        />
      </LiveList>
      {props.unindexed !== null && (
        <p class="hint unindexed">
          Deployments up to <Day instant={props.unindexed} /> are still being made searchable.
        </p>
      )}
    </Layout>
  )
}
