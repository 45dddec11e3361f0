import { Html } from '@elysiajs/html'
import { type BadgeChoice, badgeWidth, choiceOf } from '../../badge/badge.ts'
import { environmentFactsOf } from '../../badge/environments.ts'
import { type BadgeFacts, badgeFactsOf } from '../../badge/facts.ts'
import type { Overview } from '../../domain/statistics/overview.ts'
import { day, hour } from '../../domain/time.ts'
import { escaped } from '../parts/markup.ts'
import { badgeAddress, badgeAlt, offeredChoice } from './snippets.ts'

type Props = {
  address: string
  alt: string
  choice?: BadgeChoice
  /** What the badge shows now, as far as the page knows. */
  facts?: BadgeFacts | undefined
}

/** What most badges show. It gives the width if the page does not know what this one shows. */
const defaultFacts: BadgeFacts = { status: 'Fresh', age: { words: '38 minutes ago', short: '38 min ago' } }

const now = new Date(0)

/** The same for a badge of environments. */
export const defaultEnvironments: BadgeFacts = environmentFactsOf(
  [
    { environment: 'staging', version: 'v3.2', commit: null, deployedAt: new Date(-2 * hour) },
    { environment: 'production', version: 'v3.0', commit: null, deployedAt: new Date(-5 * day) },
  ],
  now,
  null,
)

/** A badge. Its attributes reserve the width that it probably needs until it has loaded. */
export function BadgeImage({ address, alt, choice = offeredChoice, facts }: Props): JSX.Element {
  const sample = choice.show === 'environments' ? defaultEnvironments : defaultFacts
  return (
    <img
      class="badge"
      src={escaped(address)}
      alt={escaped(alt)}
      width={String(badgeWidth(facts ?? sample, choice))}
      height="20"
    />
  )
}

type HeadProps = {
  username: string
  target?: string | null
  /** Null on an older page. */
  overview: Overview | null
  /** The environment that the page shows alone, and the latest deployment to it. */
  alone?: { readonly environment: string | null; readonly deployedAt: Date | null } | null
}

/** The badge in the head of a page: of everything that a user deploys, of one target, or of one environment of it. */
export function HeadBadge({ username, target = null, overview, alone = null }: HeadProps): JSX.Element {
  const latest = alone === null ? overview?.recent[0] : alone.deployedAt
  const environment = alone?.environment ?? null
  const choice = { ...offeredChoice, label: choiceOf({ label: environment ?? undefined }).label }
  return (
    <BadgeImage
      address={badgeAddress({ ...choice, username, target, environment })}
      alt={badgeAlt(choice)}
      choice={choice}
      facts={overview === null ? undefined : badgeFactsOf(latest ?? null, overview.now)}
    />
  )
}
