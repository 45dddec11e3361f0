import { facesOf, inOneLine, inWords, restOf } from './environments.ts'
import { type BadgeFacts, shownOf } from './facts.ts'
import { type BadgeStatus, defaultLabel, statusColours, statusWords } from './status.ts'
import {
  type BadgeStyle,
  badgeStyles,
  type Drawing,
  drawings,
  drawingsOfSeveral,
  type Face,
  type Template,
  templateOf,
} from './styles.ts'

/**
 * What a badge shows of the latest deployment: its age, the name of its state, or its version. Or what is live in each
 * environment of a project.
 */
export const badgeShows = ['age', 'state', 'version', 'environments'] as const
export type BadgeShow = (typeof badgeShows)[number]

export const longestLabel = 20
/** Characters with a known width that XML does not interpret, at least one of them not a space. */
export const labelForm = /^ *[A-Za-z0-9._/-][A-Za-z0-9 ._/-]*$/

/** The options in the address of a badge (docs/decisions.md#badge). */
export type BadgeChoice = {
  readonly style: BadgeStyle
  readonly show: BadgeShow
  readonly label: string
  /** Whether a version may be a prerelease. */
  readonly pre: boolean
}

export const defaultChoice: BadgeChoice = {
  style: 'standard',
  show: 'state',
  label: defaultLabel,
  pre: false,
}

type Query = { readonly [Name in keyof BadgeChoice]?: string | null | undefined }

/** Reads the options from the parameters of an address. Missing and unknown values get their defaults. */
export function choiceOf({ style, show, label, pre }: Query): BadgeChoice {
  return {
    style: badgeStyles.find((known) => known === style) ?? defaultChoice.style,
    show: badgeShows.find((known) => known === show) ?? defaultChoice.show,
    label: typeof label === 'string' ? labelOf(label) : defaultLabel,
    pre: pre === '1',
  }
}

/** Trims and collapses spaces, as a browser would when it draws them. */
function labelOf(text: string): string {
  if (text.length > longestLabel || !labelForm.test(text)) return defaultLabel
  return text.trim().replace(/ +/g, ' ')
}

/** The two words and the colour that a badge shows. */
export function faceOf(facts: BadgeFacts, { show, label }: BadgeChoice): Face {
  return { label, word: wordOf(facts, show), colour: statusColours[facts.status] }
}

function wordOf({ status, age, version, environments }: BadgeFacts, show: BadgeShow): string {
  if (environments !== undefined) return inOneLine(environments)
  if (show === 'age') return age?.short ?? (status === 'Inactive' ? 'never' : statusWords[status])
  return (show === 'version' ? shownOf(version) : null) ?? statusWords[status]
}

const statuses = Object.keys(statusWords) as BadgeStatus[]

/** Most requests are for these badges, so they are drawn at start; each request only inserts the age. */
const drawnAtStart = Object.fromEntries(
  badgeStyles.map((style) => {
    const drawn = statuses.map((status) => [status, draw({ status, age: null }, { ...defaultChoice, style })])
    return [style, Object.fromEntries(drawn)]
  }),
) as Record<BadgeStyle, Record<BadgeStatus, Template>>

/**
 * The SVG of a badge (docs/decisions.md#badge). Its accessible name always has the status and the age, such as
 * "deployed: Fresh, 3 hours ago", and a version that it shows; a badge of environments has those of each. Throws for a
 * label with a character that has no width.
 */
export function renderBadge(facts: BadgeFacts, choice: BadgeChoice = defaultChoice): string {
  const isDefault = choice.show === 'state' && choice.label === defaultLabel
  const template = isDefault ? drawnAtStart[choice.style][facts.status] : draw(facts, choice)
  return template(facts.age === null ? '' : `, ${facts.age.words}`)
}

/** The width of a badge in pixels; its height is 20. Throws for the same labels as renderBadge. */
export function badgeWidth(facts: BadgeFacts, choice: BadgeChoice): number {
  return drawingOf(facts, choice).width
}

function draw(facts: BadgeFacts, choice: BadgeChoice): Template {
  return templateOf(drawingOf(facts, choice), `${choice.label}: ${nameOf(facts, choice)}`)
}

function drawingOf(facts: BadgeFacts, choice: BadgeChoice): Drawing {
  const { environments } = facts
  if (environments === undefined) return drawings[choice.style](faceOf(facts, choice))
  const parts = { label: choice.label, faces: facesOf(environments), rest: restOf(environments) }
  return drawingsOfSeveral[choice.style](parts)
}

function nameOf({ status, version, environments }: BadgeFacts, { show }: BadgeChoice): string {
  if (environments !== undefined) return inWords(environments)
  const shown = show === 'version' ? shownOf(version) : null
  return shown === null ? statusWords[status] : `${shown}, ${statusWords[status]}`
}
