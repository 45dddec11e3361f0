import { type Announcement, parseAnnouncement } from '../../domain/announcement/announcement.ts'
import { environmentKey } from '../../domain/environment/environment.ts'
import { allValid, invalid, isKeyOf, type ParsedForm, valid } from '../../domain/field-parsing.ts'
import { parseEnvironments, parseList } from '../../domain/restriction.ts'

/** By the name in the address, each with the name that pages show. */
export const intakeKinds = {
  github: 'GitHub',
  gitlab: 'GitLab',
  forgejo: 'Forgejo or Gitea',
  flux: 'Flux',
} as const

export type IntakeKind = keyof typeof intakeKinds
export const isIntakeKind = isKeyOf(intakeKinds)

export const maxIntakes = 20

/** Whether a text is spelled like the id of an intake: 128 random bits in base64url. */
export function isIntakeId(text: string): boolean {
  return /^[\w-]{22}$/.test(text)
}

/** Whether a text can be the file name of a workflow. */
export function isWorkflow(text: string): boolean {
  return /^[\w.-]{1,100}$/.test(text)
}

/** How many calls of an intake may wait for the rate. */
export const maxWaiting = 1_000

/** How many finished calls of an intake are kept. */
export const keptCalls = 50

export const maxCallBytes = 1024 * 1024

/** Each with the words that pages show. */
export const callOutcomes = {
  announced: 'announced',
  known: 'announced before',
  waiting: 'waits for the rate limit',
  left_out: 'left out',
  refused: 'refused',
  ping: 'ping',
} as const

export type CallOutcome = keyof typeof callOutcomes
export const isCallOutcome = isKeyOf(callOutcomes)

/** Which events of a forge an intake announces. An empty list selects all. */
export type IntakeFilter = {
  /** In the form of environmentKey. */
  readonly environments: readonly string[]
  /** File names in lower case. They select only among runs of workflows. */
  readonly workflows: readonly string[]
  readonly transient: boolean
}

export type NewIntake = IntakeFilter & { readonly kind: IntakeKind }

/** An event of a forge, or of Flux, that can be announced. Its texts are as they were sent. */
export type ForgeEvent = {
  /** The same for each delivery of this event, and for no other event of the user. */
  readonly key: string
  readonly about: string
  /** The title of the commit or release, else `about`. */
  readonly title: string
  readonly url: string | null
  readonly environment: string | null
  readonly version: string | null
  readonly commit: string | null
  readonly actor: string | null
  readonly environment_url: string | null
  readonly isTransient: boolean
  readonly workflow: string | null
  /** The start of the keys of an object that sends its event again and again; null if each is sent once. */
  readonly series: string | null
}

/** A state that an object was announced in, and what tells this announcement from others. */
export type KnownState = { readonly key: string; readonly place: string }

/**
 * The key of an event that is sent again and again, given the newest state of its object; null if that is this state.
 * An object that returns to an earlier state, as by a rollback, gets a new key.
 */
export function keyAfter(key: string, newest: KnownState | null): string | null {
  if (newest === null) return key
  return newest.key === key || newest.key.startsWith(`${key}~`) ? null : `${key}~${newest.place}`
}

/** Why an intake leaves an event out; null if it announces it (docs/decisions.md#intakes). */
export function reasonToLeaveOut(
  { environments, workflows, transient }: IntakeFilter,
  event: ForgeEvent,
): string | null {
  const { environment, workflow } = event
  if (event.isTransient && !transient) return 'its environment is transient'
  if (environments.length > 0 && !environments.includes(environmentKey(environment ?? ''))) {
    return environment === null ? 'it has no environment' : `${environment} is not among the environments`
  }
  if (workflow !== null && workflows.length > 0 && !workflows.includes(workflow.toLowerCase())) {
    return `${workflow} is not among the workflows`
  }
  return null
}

/** The announcement of an event, without texts that are invalid or hold one of `ownTokens`; `about` replaces a message. */
export function announcementOf(
  { title, about, url, environment, version, commit, actor, environment_url }: ForgeEvent,
  options: { readonly now: Date; readonly ownTokens: readonly string[] },
): Announcement {
  const release = { environment, version, commit, actor, environment_url }
  const fields: Record<string, string | null> = { message: title, url, ...release }
  const first = parseAnnouncement(fields, options)
  if (first.outcome === 'valid') return first.announcement
  for (const name of Object.keys(first.reasons)) fields[name] = name === 'message' ? about : null
  const second = parseAnnouncement(fields, options)
  return second.outcome === 'valid' ? second.announcement : bare
}

/** For a repository whose name cannot be announced. */
const bare: Announcement = { message: 'Deployed', url: null, category: null }

/** `transient` is ticked if not empty. */
export const intakeFilterFields = ['environments', 'workflows', 'transient'] as const

export const intakeFields = ['kind', ...intakeFilterFields] as const

type IntakeFilterValues = Readonly<Record<(typeof intakeFilterFields)[number], string>>
type IntakeValues = Readonly<Record<(typeof intakeFields)[number], string>>

export function parseIntakeFilter(typed: IntakeFilterValues): ParsedForm<IntakeFilter> {
  return allValid<IntakeFilter>(fieldsOf(typed))
}

/** Reads a new intake of a form, whose filter is reduced to what its forge has. */
export function parseIntake(typed: IntakeValues): ParsedForm<NewIntake> {
  const suited = typed.kind === 'forgejo' ? { environments: '', transient: '' } : { workflows: '' }
  return allValid<NewIntake>({
    kind: isIntakeKind(typed.kind) ? valid(typed.kind) : invalid('must be one of those in the list'),
    ...fieldsOf({ ...typed, ...suited }),
  })
}

function fieldsOf(typed: IntakeFilterValues) {
  return {
    environments: parseEnvironments(typed.environments),
    workflows: parseList(
      typed.workflows,
      () => 'a file name, such as deploy.yml',
      (word) => (isWorkflow(word) ? word.toLowerCase() : null),
    ),
    transient: valid(typed.transient !== ''),
  }
}
