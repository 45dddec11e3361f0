import type { Freshness } from '../domain/freshness.ts'

/** The state on a badge: a freshness, or that there is no such user, or that the database cannot answer. */
export type BadgeStatus = Freshness | 'Unknown' | 'Unavailable'

/** The name of each status as a badge writes it (docs/decisions.md#badge). */
export const statusWords: Readonly<Record<BadgeStatus, string>> = {
  Fresh: 'Fresh',
  Warm: 'Warm',
  Active: 'Active',
  Quiet: 'Quiet',
  Stale: 'Stale',
  Inactive: 'Inactive',
  Unknown: 'unknown',
  Unavailable: 'unavailable',
}

/** The left-hand word of a badge, unless its address has another. */
export const defaultLabel = 'deployed'

/** The background of each status under white text (4.5:1), and its dot on light and dark pages (3:1). */
export const statusColours: Readonly<Record<BadgeStatus, string>> = {
  Fresh: '#1a7f37',
  Warm: '#4d7c0f',
  Active: '#0e7490',
  Quiet: '#9a6700',
  Stale: '#b45309',
  Inactive: '#64748b',
  Unknown: '#737373',
  Unavailable: '#6b7280',
}

/** The same as on the badges of shields, because ours appear next to them. */
export const labelGround = '#555555'

/** A label before other labels, which it has to stand apart from. */
export const labelOfSeveral = '#333a42'

export const textOnGround = '#ffffff'

/**
 * The word next to a dot, on the background of any page. White and #0d1117 are only 18.9:1 apart, so no
 * colour has more than 4.35:1 against both; this grey has the same contrast against each.
 */
export const textOnPage = '#757a80'
