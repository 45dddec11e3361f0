import { dot } from './dot.ts'
import { type BadgeStatus, forEachStatus, label, words } from './status.ts'
import { type Drawing, escapeXml, type Template, templateOf } from './svg.ts'
import { square, standard } from './two-parts.ts'

export type { BadgeStatus }

export const badgeStyles = ['standard', 'square', 'dot'] as const
export type BadgeStyle = (typeof badgeStyles)[number]

/** `age` is in words ("3 hours ago"), or null if there is no deployment. */
export type Badge = {
  readonly status: BadgeStatus
  readonly style: BadgeStyle
  readonly age: string | null
}

/** Every badge is drawn at start; only the age is put in per request. */
const templates: Record<BadgeStyle, Record<BadgeStatus, Template>> = {
  standard: forEachStatus(templateWith(standard)),
  square: forEachStatus(templateWith(square)),
  dot: forEachStatus(templateWith(dot)),
}

/** The SVG of a badge (docs/decisions.md#badge). Its accessible name reads "deployed: Fresh, 3 hours ago". */
export function renderBadge({ status, style, age }: Badge): string {
  return templates[style][status](age === null ? '' : escapeXml(`, ${age}`))
}

/** The style that `?style=` asks for; standard if there is none or an unknown one. */
export function styleNamed(text: string | null | undefined): BadgeStyle {
  return badgeStyles.find((style) => style === text) ?? 'standard'
}

function templateWith(draw: (status: BadgeStatus) => Drawing): (status: BadgeStatus) => Template {
  return (status) => templateOf(draw(status), `${label}: ${words[status]}`)
}
