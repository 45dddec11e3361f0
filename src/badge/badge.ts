import { type BadgeChoice, badgeStyles, usualChoice, usualLabel } from './choice.ts'
import { dot } from './dot.ts'
import { type BadgeFacts, type Face, faceOf } from './face.ts'
import { type BadgeStatus, forEachStatus, words } from './status.ts'
import { type Drawing, type Template, templateOf } from './svg.ts'
import { square, standard } from './two-parts.ts'

const drawings: Record<BadgeChoice['style'], (face: Face) => Drawing> = { standard, square, dot }

/** The badges that nearly everybody asks for are drawn at start; only the age is put in per request. */
const usual = Object.fromEntries(
  badgeStyles.map((style) => [
    style,
    forEachStatus((status) => draw({ status, age: null }, { ...usualChoice, style })),
  ]),
) as Record<BadgeChoice['style'], Record<BadgeStatus, Template>>

/**
 * The SVG of a badge (docs/decisions.md#badge). Its accessible name reads "deployed: Fresh, 3 hours ago",
 * whatever it shows. Throws for a label with a letter that no badge can have.
 */
export function renderBadge(facts: BadgeFacts, choice: BadgeChoice = usualChoice): string {
  const isUsual = choice.show === 'state' && choice.label === usualLabel
  const template = isUsual ? usual[choice.style][facts.status] : draw(facts, choice)
  return template(facts.age === null ? '' : `, ${facts.age.words}`)
}

function draw(facts: BadgeFacts, choice: BadgeChoice): Template {
  return templateOf(drawings[choice.style](faceOf(facts, choice)), `${choice.label}: ${words[facts.status]}`)
}
