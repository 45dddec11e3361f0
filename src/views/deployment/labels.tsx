import { Html } from '@elysiajs/html'
import type { User } from '../../domain/account/user.ts'
import { type Category, categories } from '../../domain/category.ts'
import { type Deployment, isImported } from '../../domain/deployment.ts'
import { stageOf } from '../../domain/environment/stages.ts'
import { type Facet, facetOf, oneFacet } from '../../domain/feed/facets.ts'
import type { Project } from '../../domain/link.ts'
import type { Headline } from '../../domain/message/headline.ts'
import { piecesOf } from '../../domain/message/headline-pieces.ts'
import { shortCommit } from '../../domain/release/release.ts'
import { readTag } from '../../domain/tag.ts'
import { scopeOf, type Target } from '../../domain/target.ts'
import { profileAddress, projectAddress } from '../page/address.ts'
import { escaped, template } from '../parts/markup.ts'
import { readableHost, readablePath, readableProject } from '../parts/readable-address.ts'
import { BackTo, SameRelease } from './comparison.tsx'

export function Poster({ poster }: { poster: Pick<User, 'username' | 'name'> }): JSX.Element {
  // An emoji, or a letter or two, would be hard to hit.
  const isNarrow = Bun.stringWidth(poster.name) <= 2
  return (
    <a class={isNarrow ? 'quiet narrow' : 'quiet'} href={`/${poster.username}`}>
      <bdi safe>{poster.name}</bdi>
    </a>
  )
}

/** "ada/engine" or "ada.dev", a link to the page of this user's deployments to it. */
export function ProjectLink({ project, username }: { project: Project; username: string }): JSX.Element {
  const address = projectAddress(username, project.scope)
  const look = readableProject(project).length <= shortName ? ' short' : ''
  if (project.owner === null) return hostLink({ address, look, name: readableHost(project.name) })
  const [owner, name] = [readablePath(project.owner), readablePath(project.name)]
  return repositoryLink({ address, look, owner, name })
}

/** In characters. Names up to this length have a place in every entry. */
const shortName = 9

const hostLink = template<'address' | 'look' | 'name'>(({ address, look, name }) => (
  <a class={`project${look}`} href={address}>
    <bdi>{name}</bdi>
  </a>
))

const repositoryLink = template<'address' | 'look' | 'owner' | 'name'>(({ address, look, owner, name }) => (
  <a class={`project${look}`} href={address}>
    <bdi>
      <span>{owner}/</span>
      <span>{name}</span>
    </bdi>
  </a>
))

const fromRightToLeft =
  /^[^\p{L}]*[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u

/** The class of a right-to-left text, whose block then also starts at the right edge. */
export function sideOf(text: string): '' | ' rtl' {
  return fromRightToLeft.test(text) ? ' rtl' : ''
}

/** The first line, in which only the subject is bold. */
export function Subject({ headline: { prefix, subject, suffix } }: { headline: Headline }): JSX.Element {
  const beginning = prefix && soft({}, { line: Line({ line: prefix }) })
  return `${beginning}${Line({ line: subject })}${suffix && soft({}, { line: escaped(suffix) })}`
}

const soft = template<never, 'line'>((_, { line }) => <span class="soft">{line}</span>)

/** A line of a headline, in which code and emoji are shown as such. */
export function Line({ line }: { line: string }): JSX.Element {
  return piecesOf(line)
    .map(({ text, isCode }) => (isCode ? code({ text }) : escaped(text)))
    .join('')
}

const code = template<'text'>(({ text }) => <code>{text}</code>)

/** The label of a category, of which phones show the first word; empty without a category. */
export function CategoryLabel({ category }: { category: Category | null }): JSX.Element {
  return category === null ? '' : labels[category]
}

const labels = Object.fromEntries(
  Object.entries(categories).map(([category, name]) => {
    // "bug fix" counts as one word here.
    const [, word = '', more = ''] = /^(bug fix|\w+)(.*)/.exec(name) ?? []
    const label = (
      <span class={`category ${category}`}>
        <span safe>{word}</span>
        {more !== '' && <span class="on-wide">{escaped(more)}</span>}
      </span>
    )
    return [category, label]
  }),
) as Record<Category, JSX.Element>

type ReleaseProps = { deployment: Deployment; commit?: string | undefined; target?: Target | null }

/**
 * The environment, the version, the commit if given, and the actor, in a line of their own on phones. With a target, it
 * says which release this is, for journeys.js.
 */
export function ReleaseLabels({ deployment, commit, target = null }: ReleaseProps): JSX.Element {
  const version = deployment.version === undefined ? '' : VersionLabel({ version: deployment.version })
  const labels = [
    FacetLabel({ facet: 'environment', of: deployment }),
    deployment.replaced?.step === 'back' ? BackTo({ deployment, version }) : version,
    SameRelease({ deployment }),
    commit === undefined ? '' : <code safe>{commit}</code>,
    FacetLabel({ facet: 'actor', of: deployment }),
  ].join('')
  if (labels === '') return ''
  const stop = target === null ? null : stopIn(target, deployment)
  return stop === null ? release({}, { labels }) : releaseAtStop({ stop }, { labels })
}

/** The stage, the commit and the project of a stop of a release; null of any other deployment. */
function stopIn(target: Target, { environment, version, commit, poster }: Deployment): string | null {
  if (environment === undefined || (version ?? commit) === undefined) return null
  return `${stageOf(environment, poster.environmentOrder) ?? ''} ${shortCommit(commit)?.toLowerCase() ?? ''} ${scopeOf(target)}`
}

const release = template<never, 'labels'>((_, { labels }) => <span class="release">{labels}</span>)

const releaseAtStop = template<'stop', 'labels'>(({ stop }, { labels }) => (
  <span class="release" data-stop={stop}>
    {labels}
  </span>
))

type FacetProps = { facet: Facet; of: Pick<Deployment, 'poster'> & Partial<Pick<Deployment, Facet>> }

/** A value of a facet, which links to the deployments of the poster with it; empty if there is none. */
export function FacetLabel({ facet, of }: FacetProps): JSX.Element {
  const value = of[facet]
  if (!value) return ''
  const by = oneFacet(facet, facetOf(facet, of))
  const address = profileAddress(of.poster.username, { target: null, by })
  return facet === 'actor' ? starter({ address, value }) : tag({ facet, address, value })
}

const tag = template<'facet' | 'address' | 'value'>(({ facet, address, value }) => (
  <a class={facet} href={address}>
    <bdi class="tag">{value}</bdi>
  </a>
))

const starter = template<'address' | 'value'>(({ address, value }) => (
  <a class="actor" href={address}>
    by <bdi>{value}</bdi>
  </a>
))

/** A version. If it names a package, that is cut in a narrow place, and its number is not. */
export function VersionLabel({ version }: { version: string }): JSX.Element {
  const name = readTag(version).package
  return name === '' ? plain({ version }) : ofPackage({ name, number: version.slice(name.length) })
}

const plain = template<'version'>(({ version }) => <bdi class="version">{version}</bdi>)

const ofPackage = template<'name' | 'number'>(({ name, number }) => (
  <bdi class="version of-package">
    <span>{name}</span>
    {number}
  </bdi>
))

/** Says that a deployment is from before its poster announced here; empty if not. */
export function HistoryLabel({ deployment: { id } }: { deployment: Pick<Deployment, 'id'> }): JSX.Element {
  return isImported(id) ? fromHistory : ''
}

const fromHistory = ` ${<span class="from-history">from history</span>}`

/** Says that an issuer proved who announced a deployment, which its page explains; empty if none did. */
export function VerifiedLabel({ verified }: { verified: Deployment['verified'] }): JSX.Element {
  return verified ? isVerified : ''
}

const isVerified = ` ${<span class="verified">verified</span>}`
