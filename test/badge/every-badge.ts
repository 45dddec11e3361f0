import { type BadgeChoice, badgeShows, defaultChoice, renderBadge } from '../../src/badge/badge.ts'
import type { BadgeAge, BadgeFacts } from '../../src/badge/facts.ts'
import type { BadgeStatus } from '../../src/badge/status.ts'
import { badgeStyles } from '../../src/badge/styles.ts'

/** The right word of each status, as docs/decisions.md#badge spells it. */
export const wordOfStatus = {
  Fresh: 'Fresh',
  Warm: 'Warm',
  Active: 'Active',
  Quiet: 'Quiet',
  Stale: 'Stale',
  Inactive: 'Inactive',
  Unknown: 'unknown',
  Unavailable: 'unavailable',
} as const satisfies Record<BadgeStatus, string>

export const statuses = Object.keys(wordOfStatus) as BadgeStatus[]

/** An age that each status can have. */
const ages: Partial<Record<BadgeStatus, BadgeAge>> = {
  Fresh: { words: '38 minutes ago', short: '38 min ago' },
  Warm: { words: '5 hours ago', short: '5 h ago' },
  Active: { words: '3 days ago', short: '3 d ago' },
  Quiet: { words: '12 days ago', short: '12 d ago' },
  Stale: { words: '3 months ago', short: '3 mo ago' },
}

export type Example = BadgeFacts & {
  readonly choice: BadgeChoice
  readonly name: string
  readonly svg: string
}

/** Each status in each style, once with the state and once with the age. */
export const everyBadge: readonly Example[] = badgeStyles.flatMap((style) =>
  badgeShows.flatMap((show) =>
    statuses.map((status) => {
      const age = ages[status] ?? null
      const facts = { status, age, version: age === null ? null : 'v2.4.0' }
      const choice = { ...defaultChoice, style, show }
      return { ...facts, choice, name: `${style}-${status.toLowerCase()}`, svg: renderBadge(facts, choice) }
    }),
  ),
)

/** The words that a badge draws, in their order. */
export function wordsDrawn(svg: string): string[] {
  return [...svg.matchAll(/<text [^>]*>([^<]*)<\/text>/g)].map(([, word]) => word ?? '')
}
