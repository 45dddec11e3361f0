import type { User } from '../../domain/account/user.ts'
import { type Category, isOtherWork } from '../../domain/category.ts'
import type { Deployment } from '../../domain/deployment.ts'
import { isByBot } from '../../domain/feed/bots.ts'
import { projectOf } from '../../domain/link.ts'
import { type Headline, headlineOf } from '../../domain/message/headline.ts'
import { plainTitle } from '../../domain/message/headline-pieces.ts'
import { saysOnlyVersion } from '../../domain/tag.ts'
import { dateOf, utcDayOf } from '../../domain/time.ts'

/** How many deployments a page of a changelog is made of, at most. */
export const deploymentsRead = 200

/** The sections of a version, in their order: what pages call each, and what Keep a Changelog does. */
export const sections = {
  feature: { title: 'Features', kept: 'Added' },
  bug_fix: { title: 'Fixes', kept: 'Fixed' },
  performance_improvement: { title: 'Performance', kept: 'Changed' },
  styling_change: { title: 'Design', kept: 'Changed' },
  other: { title: 'Other changes', kept: 'Changed' },
} as const satisfies Readonly<Record<Category | 'other', object>>

type SectionName = keyof typeof sections
const sectionNames = Object.keys(sections) as readonly SectionName[]

/** A page of a changelog, in whatever form. */
export type Changelog = {
  readonly user: User
  readonly target: string
  /** Those whose deployments are listed, as they are written; empty if all are. */
  readonly environments: readonly string[]
  readonly entries: readonly ChangelogEntry[]
  /** Only deployments before this id are listed; null for the newest. */
  readonly before: number | null
  /** The `before` of the next page; null on the last one. */
  readonly older: number | null
}

/** What a deployment tells the users of a project. */
export type Change = {
  readonly section: SectionName
  readonly deployment: Deployment
  /** Its headline without type and number; code is in backticks. */
  readonly title: string
  readonly body: string
  readonly isBreaking: boolean
}

/** What one version brought, or without versions one day. */
export type ChangelogEntry = {
  /** A fragment of an address, and unique in its page. */
  readonly anchor: string
  /** Null for a day. */
  readonly version: string | null
  /** When the version first came, and when the last of its deployments did. */
  readonly since: Date
  readonly until: Date
  /** What the announcements of the version itself say, without their headlines. */
  readonly notes: readonly string[]
  /** Those that have changes, the newest change first. */
  readonly sections: readonly { readonly name: SectionName; readonly changes: readonly Change[] }[]
}

/**
 * How many of these deployments make entries that are whole, if there are older ones; the next page begins after them.
 * Takes them with the newest first. All of them, if they are a part of one entry.
 */
export function wholeEntries(deployments: readonly Deployment[]): number {
  const oldest = deployments.at(-1)
  const version = deployments.findLast((one) => one.version !== undefined)?.version
  const end = deployments.findIndex((one) =>
    version === undefined ? oldest !== undefined && dayOf(one) === dayOf(oldest) : one.version === version,
  )
  return end > 0 ? end : deployments.length
}

/** The UTC day of a deployment by its number. */
function dayOf({ deployedAt }: Deployment): number {
  return utcDayOf(deployedAt)
}

type Group = { readonly version: string | null; readonly since: Date; readonly deployments: Deployment[] }

/**
 * The entries of a changelog, given its deployments, both the newest first. What has no version belongs to the version
 * that came next, and to its day after the newest version. Entries without anything to tell are left out.
 */
export function changelogOf(deployments: readonly Deployment[]): readonly ChangelogEntry[] {
  const anchors = new Set<string>()
  return groupsOf(deployments)
    .map((group) => ({ group, told: toldIn(group) }))
    .filter(({ told: { isRelease, changes } }) => isRelease || changes.length > 0)
    .map(({ group: { version, since, deployments: all }, told: { notes, changes } }) => ({
      anchor: anchorOf(version ?? dateOf(utcDayOf(since)), anchors),
      version,
      since,
      until: new Date(Math.max(...all.map(({ deployedAt }) => deployedAt.getTime()))),
      notes,
      sections: sectionNames
        .map((name) => ({ name, changes: changes.filter(({ section }) => section === name) }))
        .filter((section) => section.changes.length > 0),
    }))
}

/** The newest group first, and the newest deployment of each. */
function groupsOf(deployments: readonly Deployment[]): readonly Group[] {
  const byVersion = new Map<string, Group>()
  let waiting: Deployment[] = []
  for (const deployment of deployments.toReversed()) {
    const { version, deployedAt } = deployment
    if (version === undefined) {
      waiting.push(deployment)
      continue
    }
    const known = byVersion.get(version)
    if (known === undefined) {
      byVersion.set(version, { version, since: deployedAt, deployments: [...waiting, deployment] })
      waiting = []
    } else known.deployments.push(deployment)
  }
  const byDay = Map.groupBy(waiting, dayOf)
  const days = [...byDay.values()].map((ofDay): Group => {
    return { version: null, since: (ofDay[0] as Deployment).deployedAt, deployments: ofDay }
  })
  return [...byVersion.values(), ...days]
    .map((group) => ({ ...group, deployments: group.deployments.toReversed() }))
    .toReversed()
}

/** What a group tells: each headline once. */
function toldIn({ deployments }: Group) {
  const notes = new Set<string>()
  const changes = new Map<string, Change>()
  let isRelease = false
  for (const deployment of deployments) {
    const headline = headlineOf(deployment.message)
    if (saysOnlyVersionOf(deployment, plainTitle(headline))) {
      isRelease = true
      notes.add(notesIn(headline, deployment))
      continue
    }
    const change = changeOf(deployment, headline)
    const key = headline.subject.toLowerCase()
    if (change !== null && !changes.has(key)) changes.set(key, change)
  }
  notes.delete('')
  return { isRelease, notes: [...notes], changes: [...changes.values()] }
}

/** The text below a headline of that kind, without a heading that says the version again. */
function notesIn({ body }: Headline, deployment: Deployment): string {
  const [first = '', ...below] = body.split('\n')
  const heading = /^#{1,6}\s+(.*)/.exec(first)?.[1] ?? ''
  return saysOnlyVersionOf(deployment, heading) ? below.join('\n').trim() : body
}

/** How intakes and imports name a release that has no title. */
const verb = / (?:released|deployed)(?: to [\w./-]{1,64})?$/
/** How release tools write the version above their notes: with a link, and the day. */
const link = /^\[([^\]]*)\]\([^()\s]*\)/
const date = / \(\d{4}-\d\d-\d\d\)$/

/** Whether a title says only which version was deployed, such as "Release v2.4.0" or "engine v2.4.0 released". */
function saysOnlyVersionOf(deployment: Deployment, title: string): boolean {
  const { version } = deployment
  if (version === undefined || title === '') return false
  const plain = title.replace(link, '$1').replace(date, '').replace(verb, '')
  return saysOnlyVersion(plain, version, projectOf(deployment)?.name ?? '')
}

/** Null for the changes of bots, and for work that users of the project do not notice, such as `chore:`. */
function changeOf(deployment: Deployment, headline: Headline): Change | null {
  const { category, message } = deployment
  const isBreaking = isMarked.test(headline.prefix) || isExplained.test(message)
  if (isByBot(deployment) || (category === null && !isBreaking && isOtherWork(message))) return null
  const body = headline.body.replace(isExplained, '')
  return { section: category ?? 'other', deployment, title: sentenceOf(headline), body, isBreaking }
}

/** The description of a change as the beginning of a sentence, which it need not be after `feat: `. */
function sentenceOf({ prefix, subject }: Headline): string {
  if (prefix === '') return subject
  return subject.replace(/^\p{Ll}(?=\p{Ll}*(?:\s|$))/u, (letter) => letter.toUpperCase())
}

/** Conventional Commits mark a breaking change in the type, or in a line below. */
const isMarked = /!(?:\([^()]*\))?:/
const isExplained = /^BREAKING[ -]CHANGE: /m

/** The fragment for a version or a day, unlike those that are taken and unlike other ids of pages. */
function anchorOf(name: string, taken: Set<string>): string {
  const plain = name.replace(/[^\w.-]+/g, '-').replace(/^-|-$/g, '')
  const own = /^v?\d/i.test(plain) ? plain : `version-${plain}`
  let anchor = own
  for (let n = 2; taken.has(anchor); n += 1) anchor = `${own}-${n}`
  taken.add(anchor)
  return anchor
}
