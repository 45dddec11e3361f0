import type { BadgeStatus } from './status.ts'

/** The ground of each status under white text (4.5:1), and its dot on light and dark pages (3:1). */
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

/** As on the badges of shields, which ours stands beside. */
export const labelGround = '#555555'

export const textOnGround = '#ffffff'

/**
 * The word beside a dot, which stands on the ground of any page. White and #0d1117 are only 18.9:1 apart, so
 * no colour is further than 4.35:1 from both; this grey is equally far from each.
 */
export const textOnPage = '#757a80'
