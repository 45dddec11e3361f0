import { type Badge, type BadgeStatus, type BadgeStyle, renderBadge } from '../../src/badge/badge.ts'

export const styles: readonly BadgeStyle[] = ['standard', 'square', 'dot']

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

const ages: Partial<Record<BadgeStatus, string>> = {
  Fresh: '38 minutes ago',
  Warm: '5 hours ago',
  Active: '3 days ago',
  Quiet: '12 days ago',
  Stale: '3 months ago',
}

export type Example = Badge & { readonly name: string; readonly svg: string }

/** Each status in each style, at an age that it can have. */
export const everyBadge: readonly Example[] = styles.flatMap((style) =>
  statuses.map((status) => {
    const badge = { status, style, age: ages[status] ?? null }
    return { ...badge, name: `${style}-${status.toLowerCase()}`, svg: renderBadge(badge) }
  }),
)

/** The words that a badge draws, in their order. */
export function wordsDrawn(svg: string): string[] {
  return [...svg.matchAll(/<text [^>]*>([^<]*)<\/text>/g)].map(([, word]) => word ?? '')
}
