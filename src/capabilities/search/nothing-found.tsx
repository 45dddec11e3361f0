import { Html, type PropsWithChildren } from '@elysiajs/html'
import type { User } from '../../domain/account/user.ts'
import { feedAddress } from '../../views/page/address.ts'
import { escaped } from '../../views/parts/markup.ts'
import type { SearchQuestion } from './question.ts'

type FoundProps = PropsWithChildren<{
  asked: SearchQuestion
  isKnown: boolean
  /** Those whose username begins with what was typed; they are shown below. */
  people: readonly User[]
  before: number | null
  older: number | null
  unindexed: Date | null
  noun: string
}>

/** Replaces an empty list of results: the reason, with what was asked as `children`, and one way to continue. */
export function NothingFound(props: FoundProps): JSX.Element {
  const { asked, isKnown, people, before, older, unindexed, noun, children } = props
  const { username, by, ofAnyCategory } = asked
  const isOlder = before !== null
  const isAll = older === null && unindexed === null
  if (!isKnown) {
    const name = `@${username ?? ''}`
    return (
      <p class="nothing-found">
        <span class="said" safe>
          {people.length === 0 ? `There is no ${name} here.` : `Whom do you mean by ${name}?`}
        </span>{' '}
        <a href="/">Clear</a>
      </p>
    )
  }
  return (
    <p class="nothing-found">
      <span class="said">
        <span safe>{`No ${isOlder ? 'older ' : ''}${noun}`}</span>
        {children}
        {isAll || isOlder ? '' : ' so far'}.
      </span>{' '}
      {by.category === undefined ? (
        <a href="/">Clear</a>
      ) : (
        <a href={escaped(feedAddress({ q: ofAnyCategory }))}>Search all categories</a>
      )}
    </p>
  )
}
