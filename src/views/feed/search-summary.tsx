import { Html } from '@elysiajs/html'
import type { Category } from '../../domain/category.ts'
import { categories } from '../../domain/category.ts'
import type { SearchQuestion } from '../../domain/search/question.ts'
import { scopeOf } from '../../domain/target.ts'
import { feedAddress, syndicationAddress } from '../page/address.ts'
import { attribute } from '../parts/attributes.ts'
import { readableTarget } from '../parts/readable-address.ts'

type Props = {
  asked: SearchQuestion
  category: Category | null /** Null if it is not known. */
  count: number | null
}

/** How a search was understood, with links to leave it or follow it. */
export function SearchSummary({ asked, category, count }: Props): JSX.Element {
  const nouns = nounsOf(category)
  const feed = syndicationAddress('atom', { q: asked.text, username: null, category, target: null })
  return (
    <p class="reading">
      {count === null ? (
        <span safe>{`${nouns.many.charAt(0).toUpperCase()}${nouns.many.slice(1)}`}</span>
      ) : (
        // search.js updates the count when deployments arrive or are withdrawn.
        <>
          <b id="found">{count}</b>{' '}
          <span id="found-noun" data-one={nouns.one} data-many={nouns.many} safe>
            {count === 1 ? nouns.one : nouns.many}
          </span>
        </>
      )}
      <Parts asked={asked} /> · <a href={attribute(feedAddress({ category }))}>Clear</a> ·{' '}
      <a href={attribute(feed)}>Follow as Atom</a>
    </p>
  )
}

type EmptyProps = {
  asked: SearchQuestion
  category: Category | null
  /** Whether the user that was searched for exists. */
  isKnown: boolean
  /** Whether it is an older part of the results that is empty. */
  isOlder: boolean
  /** Whether the search covered all deployments. */
  isAll: boolean
}

/** Replaces an empty list of results: the reason and one way to continue. */
export function NothingFound({ asked, category, isKnown, isOlder, isAll }: EmptyProps): JSX.Element {
  const { username } = asked
  if (!isKnown) {
    return (
      <p class="nothing-found">
        <span safe>{`There is no @${username ?? ''} here.`}</span> <a href="/">Clear</a>
      </p>
    )
  }
  return (
    <p class="nothing-found">
      <span safe>{`No ${isOlder ? 'older ' : ''}${nounsOf(category).many}`}</span>
      <Parts asked={asked} verb="match" />
      {isAll || isOlder ? '' : ' so far'}.{' '}
      {category === null ? (
        <a href="/">Clear</a>
      ) : (
        <a href={attribute(feedAddress({ q: asked.text, category: null }))}>Search all categories</a>
      )}
    </p>
  )
}

type PartsProps = {
  asked: SearchQuestion
  /** The text in front of the words. */
  verb?: 'with' | 'match'
}

/** " by @ada to github.com with “cache”", with only the given parts. */
function Parts({ asked: { username, target, typed }, verb = 'with' }: PartsProps): JSX.Element {
  return (
    <>
      {username !== null && (
        <>
          {' '}
          by{' '}
          <a class="quiet" href={`/${username}`}>
            <b safe>{`@${username}`}</b>
          </a>
        </>
      )}
      {target !== null && (
        <>
          {' '}
          to <b safe>{readableTarget(scopeOf(target))}</b>
        </>
      )}
      {typed !== '' && (
        <>
          {' '}
          {verb} <b safe>{`“${typed}”`}</b>
        </>
      )}
    </>
  )
}

function nounsOf(category: Category | null): { one: string; many: string } {
  const one = category === null ? 'deployment' : categories[category]
  return { one, many: one === 'bug fix' ? 'bug fixes' : `${one}s` }
}
