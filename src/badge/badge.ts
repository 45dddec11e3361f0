import { freshnessOf } from '../domain/freshness.ts'
import { ageInWords, shortAge } from '../domain/time.ts'
import { type BadgeStatus, statusColours, statusWords, usualLabel } from './status.ts'
import { type BadgeStyle, badgeStyles, drawings, type Face, type Template, templateOf } from './styles.ts'

/** What the right-hand word shows of the latest deployment: its age, the name of its state, or its version. */
export const badgeShows = ['age', 'state', 'version'] as const
export type BadgeShow = (typeof badgeShows)[number]

export const longestLabel = 20
/** Characters with a known width that XML does not interpret, at least one of them not a space. */
export const labelPattern = '^ *[A-Za-z0-9._/-][A-Za-z0-9 ._/-]*$'
const labelForm = new RegExp(labelPattern)

/** The versions that a badge shows; their characters have a known width, too. */
export const shownVersion = /^[A-Za-z0-9._+-]{1,32}$/

/** The options in the address of a badge (docs/decisions.md#badge). */
export type BadgeChoice = { readonly style: BadgeStyle; readonly show: BadgeShow; readonly label: string }

export const usualChoice: BadgeChoice = { style: 'standard', show: 'state', label: usualLabel }

type Query = { readonly [Name in keyof BadgeChoice]?: string | null | undefined }

/** Reads the options from the parameters of an address. Missing and unknown values get their defaults. */
export function choiceOf({ style, show, label }: Query): BadgeChoice {
  return {
    style: badgeStyles.find((known) => known === style) ?? usualChoice.style,
    show: badgeShows.find((known) => known === show) ?? usualChoice.show,
    label: typeof label === 'string' ? labelOf(label) : usualLabel,
  }
}

/** Trims and collapses spaces, as a browser would when it draws them. */
function labelOf(text: string): string {
  if (text.length > longestLabel || !labelForm.test(text)) return usualLabel
  return text.trim().replace(/ +/g, ' ')
}

/** The age of the latest deployment: "3 hours ago" in the accessible name, "3 h ago" in the picture. */
export type BadgeAge = { readonly words: string; readonly short: string }

/** The data of a badge; `age` is null if there is no deployment. Only a badge of a version has a version. */
export type BadgeFacts = {
  readonly status: BadgeStatus
  readonly age: BadgeAge | null
  readonly version?: string | null
}

/** What a badge shows of a user whose latest deployment this is; null if there is none. */
export function badgeFactsOf(latest: Date | null, now: Date): BadgeFacts {
  if (latest === null) return { status: 'Inactive', age: null }
  const age = { words: ageInWords(latest, now), short: shortAge(latest, now) }
  return { status: freshnessOf(latest, now), age }
}

/** The two words and the colour that a badge shows. */
export function faceOf(facts: BadgeFacts, { show, label }: BadgeChoice): Face {
  return { label, word: wordOf(facts, show), colour: statusColours[facts.status] }
}

function wordOf({ status, age, version }: BadgeFacts, show: BadgeShow): string {
  if (show === 'age') return age?.short ?? (status === 'Inactive' ? 'never' : statusWords[status])
  return (show === 'version' ? shownOf(version) : null) ?? statusWords[status]
}

/** A version that fits a badge; null for any other. */
function shownOf(version: string | null | undefined): string | null {
  return version && shownVersion.test(version) ? version : null
}

const statuses = Object.keys(statusWords) as BadgeStatus[]

/** Most requests are for these badges, so they are drawn at start; each request only inserts the age. */
const usual = Object.fromEntries(
  badgeStyles.map((style) => {
    const drawn = statuses.map((status) => [status, draw({ status, age: null }, { ...usualChoice, style })])
    return [style, Object.fromEntries(drawn)]
  }),
) as Record<BadgeStyle, Record<BadgeStatus, Template>>

/**
 * The SVG of a badge (docs/decisions.md#badge). Its accessible name always has the status and the age, such as
 * "deployed: Fresh, 3 hours ago", and a version that it shows. Throws for a label with a character that has no width.
 */
export function renderBadge(facts: BadgeFacts, choice: BadgeChoice = usualChoice): string {
  const isUsual = choice.show === 'state' && choice.label === usualLabel
  const template = isUsual ? usual[choice.style][facts.status] : draw(facts, choice)
  return template(facts.age === null ? '' : `, ${facts.age.words}`)
}

/** The width of a badge in pixels; its height is 20. Throws for the same labels as renderBadge. */
export function badgeWidth(facts: BadgeFacts, choice: BadgeChoice): number {
  return drawings[choice.style](faceOf(facts, choice)).width
}

function draw(facts: BadgeFacts, choice: BadgeChoice): Template {
  const face = faceOf(facts, choice)
  const version = choice.show === 'version' ? shownOf(facts.version) : null
  const words = version === null ? '' : `${version}, `
  return templateOf(drawings[choice.style](face), `${choice.label}: ${words}${statusWords[facts.status]}`)
}
