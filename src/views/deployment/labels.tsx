import { Html } from '@elysiajs/html'
import type { User } from '../../domain/account/user.ts'
import { type Category, categories } from '../../domain/category.ts'
import { type Deployment, isImported } from '../../domain/deployment.ts'
import type { Project } from '../../domain/link.ts'
import type { Headline } from '../../domain/message/headline.ts'
import { piecesOf } from '../../domain/message/headline-pieces.ts'
import { environmentKey } from '../../domain/release.ts'
import { readTag } from '../../domain/tag.ts'
import { profileAddress, projectAddress } from '../page/address.ts'
import { escaped, template } from '../parts/markup.ts'
import { readableHost, readablePath } from '../parts/readable-address.ts'

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
  if (project.owner === null) return hostLink({ address, name: readableHost(project.name) })
  return repositoryLink({ address, owner: readablePath(project.owner), name: readablePath(project.name) })
}

const hostLink = template<'address' | 'name'>(({ address, name }) => (
  <a class="project" href={address}>
    <bdi>{name}</bdi>
  </a>
))

const repositoryLink = template<'address' | 'owner' | 'name'>(({ address, owner, name }) => (
  <a class="project" href={address}>
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

/** The name of a commit in a list, with the usual number of digits; null without a commit. */
export function shortCommit(commit: string | undefined): string | null {
  return commit?.slice(0, 7) ?? null
}

type ReleaseProps = { deployment: Deployment; commit?: string | undefined }

/** The environment, the version and, if given, the commit of a deployment, in a line of their own on phones. */
export function ReleaseLabels({ deployment, commit }: ReleaseProps): JSX.Element {
  const { poster, environment, version } = deployment
  const labels = [
    environment === undefined ? '' : environmentOf(poster.username, environment),
    version === undefined ? '' : VersionLabel({ version }),
    commit === undefined ? '' : <code safe>{commit}</code>,
  ].join('')
  return labels === '' ? '' : release({}, { labels })
}

const release = template<never, 'labels'>((_, { labels }) => <span class="release">{labels}</span>)

function environmentOf(username: string, environment: string): JSX.Element {
  const part = { target: null, category: null, environment: environmentKey(environment) }
  return environmentPart({ address: profileAddress(username, part), environment })
}

const environmentPart = template<'address' | 'environment'>(({ address, environment }) => (
  <a class="environment" href={address}>
    <bdi class="tag">{environment}</bdi>
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
