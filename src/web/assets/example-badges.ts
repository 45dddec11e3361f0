import { type BadgeStyle, renderBadge } from '../../badge/badge.ts'
import type { Freshness } from '../../domain/freshness.ts'
import { badgeStyles } from '../../views/badge/snippets.ts'
import { states } from '../../views/docs/badges.tsx'

/** The name of the file with a badge that stays as it is, as nobody's own does. */
export function exampleBadge(status: Freshness, style: BadgeStyle): string {
  return `badge-${style}-${status.toLowerCase()}.svg`
}

/** Every such badge by the name of its file, drawn as the others are. */
export const exampleBadges: Readonly<Record<string, string>> = Object.fromEntries(
  badgeStyles.flatMap((style) =>
    states.map(([status]) => [exampleBadge(status, style), renderBadge({ status, style, age: null })]),
  ),
)
