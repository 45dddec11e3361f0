import { actorFrom } from '../../domain/account/actor.ts'
import { memberOf, urlOf } from '../../domain/field-parsing.ts'
import { isLink } from '../../domain/link.ts'
import { parseReleaseField } from '../../domain/release/release.ts'
import { releaseName, saysOnlyVersion } from '../../domain/tag.ts'
import { isTooLong, type TextKind } from '../../domain/text-bounds.ts'
import { readEnvironmentName } from './environment-name.ts'
import type { ForgeEvent, IntakeKind } from './rules.ts'

type Delivery = { readonly event: string; readonly payload: unknown }
type ForgeKind = Exclude<IntakeKind, 'flux'>

/** Reads a delivery of a forge (docs/decisions.md#intakes); null for one that announces nothing. */
export function readDelivery(kind: ForgeKind, { event, payload }: Delivery): ForgeEvent | 'ping' | null {
  // The header of GitLab has names for people.
  const name = kind === 'gitlab' ? textAt(payload, 'object_kind') : event
  return readers[kind].get(name)?.(payload) ?? null
}

type Reader = (payload: unknown) => ForgeEvent | 'ping' | null

const readers: Readonly<Record<ForgeKind, ReadonlyMap<string, Reader>>> = {
  github: new Map<string, Reader>([
    ['ping', () => 'ping'],
    ['deployment_status', deploymentOnGithub],
    ['release', (payload) => releaseOf('gh', payload)],
  ]),
  gitlab: new Map([
    ['deployment', deploymentOnGitlab],
    ['release', releaseOnGitlab],
  ]),
  forgejo: new Map([
    ['release', (payload) => releaseOf('fj', payload)],
    ['action_run_success', runOnForgejo],
  ]),
}

function deploymentOnGithub(payload: unknown): ForgeEvent | null {
  const state = textAt(payload, 'deployment_status.state')
  const id = idAt(payload, 'deployment.id')
  if (state !== 'success' || id === '') return null
  const repository = linkAt(payload, 'repository.html_url')
  const commit = textAt(payload, 'deployment.sha')
  const ref = textAt(payload, 'deployment.ref')
  const description = textAt(payload, 'deployment.description', 'message')
  return eventOf({
    key: keyOf('gh', repository, `${id}:${state}`),
    repository,
    verb: 'deployed',
    // Railway describes each deployment as "Deployed to Railway".
    title:
      textAt(payload, 'workflow_run.display_title', 'message') ||
      (description.startsWith('Deployed to ') ? '' : description),
    url: pageOfCommit(repository, commit),
    environment:
      textAt(payload, 'deployment_status.environment') || textAt(payload, 'deployment.environment'),
    version: versionIn(textAt(payload, 'deployment.ref', 'version')),
    commit,
    actor: personAt(
      payload,
      'workflow_run.triggering_actor.login',
      'deployment.creator.login',
      'sender.login',
    ),
    environment_url: textAt(payload, 'deployment_status.environment_url', 'link'),
    isTransient: memberOf(payload, 'deployment.transient_environment') === true || isOfRequest(ref),
  })
}

function deploymentOnGitlab(payload: unknown): ForgeEvent | null {
  const id = idAt(payload, 'deployment_id')
  if (textAt(payload, 'status') !== 'success' || id === '') return null
  const repository = linkAt(payload, 'project.web_url')
  const page = textAt(payload, 'commit_url', 'link')
  const environment = textAt(payload, 'environment')
  const ref = textAt(payload, 'ref')
  return eventOf({
    key: keyOf('gl', repository, `${id}:success`),
    repository,
    verb: 'deployed',
    title: textAt(payload, 'commit_title', 'message'),
    url: page || repository,
    environment,
    version: versionIn(textAt(payload, 'ref', 'version')),
    // Its page has the whole hash.
    commit: /\/([0-9a-f]{7,64})$/.exec(page)?.[1] ?? textAt(payload, 'short_sha'),
    actor: personAt(payload, 'user.username'),
    environment_url: textAt(payload, 'environment_external_url', 'link'),
    // GitLab's own templates give environments of merge requests such names.
    isTransient: environment.startsWith('review/') || isOfRequest(ref),
  })
}

function releaseOnGitlab(payload: unknown): ForgeEvent | null {
  const id = idAt(payload, 'id')
  if (textAt(payload, 'action') !== 'create' || id === '') return null
  const repository = linkAt(payload, 'project.web_url')
  return eventOf({
    key: keyOf('gl', repository, `release:${id}`),
    repository,
    verb: 'released',
    title: textAt(payload, 'name', 'message'),
    url: textAt(payload, 'url', 'link') || repository,
    version: textAt(payload, 'tag', 'version'),
    commit: textAt(payload, 'commit.id'),
  })
}

function releaseOf(forge: 'gh' | 'fj', payload: unknown): ForgeEvent | null {
  const id = idAt(payload, 'release.id')
  const isDraft = memberOf(payload, 'release.draft') === true
  if (textAt(payload, 'action') !== 'published' || isDraft || id === '') return null
  const repository = linkAt(payload, 'repository.html_url')
  const commit = textAt(payload, 'release.target_commitish')
  return eventOf({
    key: keyOf(forge, repository, `release:${id}`),
    repository,
    verb: 'released',
    title: textAt(payload, 'release.name', 'message'),
    url: textAt(payload, 'release.html_url', 'link') || repository,
    version: textAt(payload, 'release.tag_name', 'version'),
    // Otherwise it is the name of a branch, which may look like the beginning of a hash.
    commit: /^([0-9a-f]{40}|[0-9a-f]{64})$/.test(commit) ? commit : '',
    actor: personAt(payload, 'sender.login'),
  })
}

/** The successful run of a workflow, unless it only checks a pull request. */
function runOnForgejo(payload: unknown): ForgeEvent | null {
  const id = idAt(payload, 'run.id')
  const trigger = textAt(payload, 'run.trigger_event') || textAt(payload, 'run.event')
  if (textAt(payload, 'action') !== 'success' || id === '' || /^pull_request/.test(trigger)) return null
  const repository = linkAt(payload, 'run.repository.html_url') || linkAt(payload, 'repository.html_url')
  const commit = textAt(payload, 'run.commit_sha')
  return eventOf({
    // A run that is repeated keeps its id, but has another start.
    key: keyOf('fj', repository, `run:${id}:${textAt(payload, 'run.started')}`),
    repository,
    verb: 'deployed',
    title: textAt(payload, 'run.title', 'message'),
    url: pageOfCommit(repository, commit),
    version: versionIn(textAt(payload, 'run.prettyref', 'version')),
    commit,
    actor: personAt(payload, 'run.trigger_user.login', 'sender.login'),
    workflow: textAt(payload, 'run.workflow_id'),
  })
}

type Told = Partial<
  Record<'repository' | 'name' | 'environment' | 'workflow' | 'actor' | 'environment_url', string>
> &
  Readonly<Record<'key' | 'title' | 'url' | 'version' | 'commit', string>> & {
    readonly verb: 'deployed' | 'released' | 'rolled back'
    readonly isTransient?: boolean
  }

/** An event of what it is told. The name of what was deployed is that of the repository, if not told. */
export function eventOf({ repository = '', verb, ...told }: Told): ForgeEvent {
  const { title, isTransient = false } = told
  const version = parseReleaseField('version', told.version).outcome === 'valid' ? told.version : ''
  const { environment, component, isPreview } = readEnvironmentName(told.environment ?? '')
  const name = (told.name ?? repository.split('/').at(-1) ?? '').slice(0, maxNameCharacters)
  const what = component === '' || component === name ? name : `${name} (${component})`
  const about = sentenceOf(verb, what, version, environment)
  return {
    key: told.key,
    about,
    title: title === '' || saysOnlyVersion(title, version, name) ? about : title,
    url: told.url || null,
    environment,
    version: version || null,
    commit: told.commit || null,
    actor: told.actor || null,
    environment_url: told.environment_url || null,
    isTransient: isTransient || isPreview,
    workflow: told.workflow?.replace(/[^\w.-]/g, '_').slice(0, maxNameCharacters) || null,
    series: null,
  }
}

function sentenceOf(verb: Told['verb'], what: string, version: string, environment: string | null): string {
  if (verb === 'rolled back') {
    return `${what} rolled back${version && ` to ${version}`}${environment === null ? '' : ` in ${environment}`}`
  }
  const place = environment === null ? '' : ` to ${environment}`
  return `${releaseName(what, version) || 'Something'} ${verb}${place}`
}

/** Longer names of workflows are cut; forges allow fewer characters. */
const maxNameCharacters = 100

/** The hosts that keys leave out. */
const knownHosts: Readonly<Record<string, string>> = { gh: 'github.com', gl: 'gitlab.com' }

/** Each server has numbers of its own, so its name is part of the key. */
function keyOf(forge: 'gh' | 'gl' | 'fj', repository: string, rest: string): string {
  const host = urlOf(repository)?.host ?? ''
  return `${forge}:${host === knownHosts[forge] ? '' : `${host}:`}${rest}`.replace(/[^!-~]/g, '_')
}

function pageOfCommit(repository: string, commit: string): string {
  return repository === '' || commit === '' ? repository : `${repository}/commit/${commit}`
}

/** Whether a ref is that of a pull request or a merge request. */
function isOfRequest(ref: string): boolean {
  return ref.startsWith('refs/pull/') || ref.startsWith('refs/merge-requests/')
}

/** A ref if it looks like the tag of a version. Nothing else in a run tells a tag from a branch. */
export function versionIn(ref: string): string {
  return /^v?\d+\.\d[\w.+-]*$/.test(ref) ? ref : ''
}

function idAt(payload: unknown, path: string): string {
  const id = textAt(payload, path)
  return /^\d{1,20}$/.test(id) ? id : ''
}

/** The first of these accounts that is a person's. What comes first says best who wanted the deployment. */
function personAt(payload: unknown, ...paths: readonly string[]): string {
  return paths.map((path) => actorFrom(memberOf(payload, path))).find((name) => name !== undefined) ?? ''
}

function linkAt(payload: unknown, path: string): string {
  const link = textAt(payload, path, 'link')
  return isLink(link) ? link : ''
}

/** A member that is a text or a number, without the space around it; '' for anything else, and for one too long. */
export function textAt(payload: unknown, path: string, kind: TextKind = 'forgeName'): string {
  const value = memberOf(payload, path)
  if (typeof value === 'number') return String(value)
  const text = typeof value === 'string' ? value.trim() : ''
  return isTooLong(text, kind) ? '' : text
}
