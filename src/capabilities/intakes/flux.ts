import { memberOf } from '../../domain/field-parsing.ts'
import { isLink } from '../../domain/link.ts'
import { eventOf, textAt, versionIn } from './events.ts'
import type { ForgeEvent } from './rules.ts'

/** What a controller of Flux did, by the kind of the object and the reason of the event; before Flux 2.2, its message. */
const done: Readonly<Record<string, 'deployed' | 'rolled back'>> = {
  'Kustomization/ReconciliationSucceeded': 'deployed',
  'HelmRelease/InstallSucceeded': 'deployed',
  'HelmRelease/UpgradeSucceeded': 'deployed',
  'HelmRelease/RollbackSucceeded': 'rolled back',
  'HelmRelease/Helm install succeeded': 'deployed',
  'HelmRelease/Helm upgrade succeeded': 'deployed',
}

/** Longer than what sources have; its end tells it from others. */
const maxRevisionCharacters = 150

/** Reads an event of Flux's notification-controller (docs/decisions.md#intakes); null for one that announces nothing. */
export function readFluxEvent(payload: unknown): ForgeEvent | null {
  const kind = textAt(payload, 'involvedObject.kind')
  const verb = done[`${kind}/${textAt(payload, 'reason')}`] ?? done[`${kind}/${textAt(payload, 'message')}`]
  const uid = textAt(payload, 'involvedObject.uid')
  const revision = metadataAt(payload, 'revision').slice(-maxRevisionCharacters)
  const name = textAt(payload, 'involvedObject.name')
  const isObject = /^[\w-]{1,64}$/.test(uid) && /^[\w.-]{1,253}$/.test(name)
  if (verb === undefined || !isObject || revision === '') return null
  const isChart = kind === 'HelmRelease'
  const origin = metadataAt(payload, 'originRevision').slice(-maxRevisionCharacters)
  const url = metadataAt(payload, 'url')
  const series = `fx:${uid}:`
  return {
    ...eventOf({
      // A HelmRelease has an event for each release, which may have the same chart with other values.
      key: `${series}${isChart ? textAt(payload, 'timestamp').slice(0, 40) : revision}`.replace(
        /[^!-~]/g,
        '_',
      ),
      name,
      verb,
      title: '',
      url: isLink(url) ? url : '',
      environment: metadataAt(payload, 'environment') || metadataAt(payload, 'env'),
      version: isChart
        ? chartVersionOf(revision, metadataAt(payload, 'oci-digest'))
        : tagOf(revision) || tagOf(origin),
      commit: commitOf(origin) || commitOf(revision),
    }),
    series: isChart ? null : series,
  }
}

/** A value of the event's metadata, whose name may stand after the group of its controller. */
function metadataAt(payload: unknown, name: string): string {
  const metadata = memberOf(payload, 'metadata')
  if (typeof metadata !== 'object' || metadata === null) return ''
  const [, value] =
    Object.entries(metadata).find(([key]) => key === name || key.endsWith(`.io/${name}`)) ?? []
  return typeof value === 'string' ? value.trim() : ''
}

/** The version of a chart, without the beginning of its digest, which Flux adds to that of one from a registry. */
function chartVersionOf(revision: string, digest: string): string {
  const [, version = '', added = ''] = /^(.+)\+([0-9a-f]{12})$/.exec(revision) ?? []
  return added !== '' && digest.startsWith(`sha256:${added}`) ? version : revision
}

/** The tag in `v1.2.3@sha1:…`, which older releases write `v1.2.3/…`. */
function tagOf(revision: string): string {
  return versionIn(revision.replace(/^refs\/tags\//, '').split(/[@/]/)[0] ?? '')
}

/** The commit in `main@sha1:…`, which older releases write `main/…`. The digest of an artifact is none. */
function commitOf(revision: string): string {
  return /(?:^|[@/])(?:sha1:)?([0-9a-f]{40})$/.exec(revision)?.[1] ?? ''
}
