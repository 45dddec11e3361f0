import { Html } from '@elysiajs/html'
import { type Category, categories } from '../../domain/category.ts'
import type { Question } from '../../domain/search/question.ts'
import { scopeOf } from '../../domain/target.ts'
import { feedAddress, syndicationAddress } from '../page/address.ts'
import { attribute } from '../parts/attribute.ts'
import { readableTarget } from '../parts/readable-address.ts'

type Props = {
  asked: Question
  category: Category | null /** Null if it is not known. */
  count: number | null
}

/** What was understood of a search, and how to leave it or to follow it. */
export function Reading({ asked, category, count }: Props): JSX.Element {
  const nouns = nounsOf(category)
  const feed = syndicationAddress('atom', { q: asked.text, username: null, category, target: null })
  return (
    <p class="reading">
      {count === null ? (
        <span safe>{`${nouns.many.charAt(0).toUpperCase()}${nouns.many.slice(1)}`}</span>
      ) : (
        // search.js counts what arrives and what is withdrawn.
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
  asked: Question
  category: Category | null
  /** Whether there is such a user. */
  isKnown: boolean
  /** Whether it is a part of what was found before that is empty. */
  isOlder: boolean
  /** Whether everything was looked at. */
  isAll: boolean
}

/** In place of what was not found: why, and one way on. */
export function NothingFound({ asked, category, isKnown, isOlder, isAll }: EmptyProps): JSX.Element {
  const { username } = asked
  if (!isKnown) {
    return (
      <p class="nothing-found">
        <span safe>{`Nobody here is @${username ?? ''}.`}</span> <a href="/">Clear</a>
      </p>
    )
  }
  return (
    <p class="nothing-found">
      {isAll && !isOlder ? 'Nothing' : isOlder ? 'Nothing older' : 'Nothing yet'}
      {category !== null && <span safe>{` among the ${nounsOf(category).many}`}</span>}
      <Parts asked={asked} />.{' '}
      {category === null ? (
        <a href="/">Clear</a>
      ) : (
        <a href={attribute(feedAddress({ q: asked.text, category: null }))}>Search all categories</a>
      )}
    </p>
  )
}

/** " by @ada to github.com with “cache”", of what there is. */
function Parts({ asked: { username, target, typed } }: { asked: Question }): JSX.Element {
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
          with <b safe>{`“${typed}”`}</b>
        </>
      )}
    </>
  )
}

function nounsOf(category: Category | null): { one: string; many: string } {
  const one = category === null ? 'deployment' : categories[category]
  return { one, many: one === 'bug fix' ? 'bug fixes' : `${one}s` }
}
