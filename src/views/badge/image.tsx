import { Html } from '@elysiajs/html'
import { type BadgeFacts, badgeWidth } from '../../badge/badge.ts'
import type { BadgeChoice } from '../../badge/choice.ts'
import { freshnessOf } from '../../domain/freshness.ts'
import { ageInWords, shortAge } from '../../domain/time.ts'
import { attribute } from '../parts/attributes.ts'
import { offeredChoice } from './snippets.ts'

type Props = {
  address: string
  alt: string
  choice?: BadgeChoice
  /** What the badge shows now, as far as the page knows. */
  facts?: BadgeFacts | undefined
}

/** What most badges show, for their width while the page knows no better. */
const usualFacts: BadgeFacts = { status: 'Fresh', age: { words: '38 minutes ago', short: '38 min ago' } }

/** A badge. Its attributes reserve the width that it probably needs until it has loaded. */
export function BadgeImage({ address, alt, choice = offeredChoice, facts = usualFacts }: Props): JSX.Element {
  return (
    <img
      class="badge"
      src={attribute(address)}
      alt={attribute(alt)}
      width={String(badgeWidth(facts, choice))}
      height="20"
    />
  )
}

/** What a badge shows about the latest deployment. */
export function badgeFactsOf(latest: Date | undefined, now: Date): BadgeFacts {
  if (latest === undefined) return { status: 'Inactive', age: null }
  return {
    status: freshnessOf(latest, now),
    age: { words: ageInWords(latest, now), short: shortAge(latest, now) },
  }
}
