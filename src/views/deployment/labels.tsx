import { Html } from '@elysiajs/html'
import type { User } from '../../domain/account/user.ts'
import { type Category, categories } from '../../domain/category.ts'
import { type Deployment, isImported } from '../../domain/deployment.ts'
import type { Headline } from '../../domain/headline.ts'
import type { Project } from '../../domain/link.ts'
import { environmentKey } from '../../domain/release.ts'
import { profileAddress, projectAddress } from '../page/address.ts'
import { escaped, template } from '../parts/escaping-and-templates.ts'
import { readableHost, readablePath } from '../parts/readable-address.ts'

/** The width, in columns, of names that are too narrow to hit: an emoji, or a letter or two. */
const narrow = 2

export function Poster({ poster }: { poster: Pick<User, 'username' | 'name'> }): JSX.Element {
  const isNarrow = Bun.stringWidth(poster.name) <= narrow
  return (
    <a class={isNarrow ? 'quiet narrow' : 'quiet'} href={`/${poster.username}`}>
      <bdi safe>{poster.name}</bdi>
    </a>
  )
}

type ProjectProps = { project: Project; username: string }

/** "ada/engine" or "ada.dev", a link to the page of this user's deployments to it. */
export function ProjectLink({ project, username }: ProjectProps): JSX.Element {
  const address = projectAddress(username, project.scope)
  if (project.owner === null) return hostLink({ address, name: readableHost(project.name) })
  return repositoryLink({ address, owner: readablePath(project.owner), name: readablePath(project.name) })
}

const hostLink = template<'address' | 'name'>(({ address, name }) => (
  <a class="project" href={address}>
    <bdi safe>{name}</bdi>
  </a>
))

const repositoryLink = template<'address' | 'owner' | 'name'>(({ address, owner, name }) => (
  <a class="project" href={address}>
    <bdi>
      <span safe>{`${owner}/`}</span>
      <span safe>{name}</span>
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
  return `${prefix && soft({ text: prefix })}${escaped(subject)}${suffix && soft({ text: suffix })}`
}

const soft = template<'text'>(({ text }) => (
  <span class="soft" safe>
    {text}
  </span>
))

/** The label of a category, of which phones show the first word; empty without a category. */
export function CategoryLabel({ category }: { category: Category | null }): JSX.Element {
  return category === null ? '' : labels[category]
}

const labels = Object.fromEntries(
  Object.entries(categories).map(([category, name]) => [category, <Label category={category} name={name} />]),
) as Record<Category, JSX.Element>

/** "bug fix" counts as one word here. */
function Label({ category, name }: { category: string; name: string }): JSX.Element {
  const [, word = '', more = ''] = /^(bug fix|\w+)(.*)$/.exec(name) ?? []
  return (
    <span class={`category ${category}`}>
      <span safe>{word}</span>
      {more !== '' && (
        <span class="on-wide" safe>
          {more}
        </span>
      )}
    </span>
  )
}

/** The digits of a commit in a list, the usual number for a short one. */
const short = 7
/** The digits of a commit on its own page. */
const long = 12

/** The name of a commit in a list; null without a commit. */
export function shortCommit(commit: string | undefined): string | null {
  return commit === undefined ? null : commit.slice(0, short)
}

/** The environment and the version of an entry, in a line of their own on phones; empty without both. */
export function ReleaseLabels({ deployment }: { deployment: Deployment }): JSX.Element {
  const { environment, version } = deployment
  if (environment === undefined && version === undefined) return ''
  return release({}, { labels: labelsOf(deployment) })
}

/** The same on the page of a deployment, with the commit. */
export function ReleaseAndCommit({ deployment }: { deployment: Deployment }): JSX.Element {
  const { environment, version, commit } = deployment
  if (environment === undefined && version === undefined && commit === undefined) return ''
  return (
    <span class="release">
      {labelsOf(deployment)}
      {commit !== undefined && <code safe>{commit.slice(0, long)}</code>}
    </span>
  )
}

const release = template<never, 'labels'>((_, { labels }) => <span class="release">{labels}</span>)

function labelsOf({ poster, environment, version }: Deployment): JSX.Element {
  return `${environmentOf(poster.username, environment)}${version === undefined ? '' : versionPart({ version })}`
}

/** Says that a deployment is from before its poster announced here; empty if not. */
export function HistoryLabel({ deployment: { id } }: { deployment: Pick<Deployment, 'id'> }): JSX.Element {
  return isImported(id) ? fromHistory : ''
}

const fromHistory = ` ${<span class="from-history">from history</span>}`

/** Says that an issuer proved who announced a deployment, which its page explains; empty if none did. */
export function VerifiedLabel({
  deployment: { verified },
}: {
  deployment: Pick<Deployment, 'verified'>
}): JSX.Element {
  return verified === undefined || verified === null ? '' : isVerified
}

const isVerified = ` ${<span class="verified">verified</span>}`

/** An environment links to the list of this user's deployments to it. */
function environmentOf(username: string, environment: string | undefined): JSX.Element {
  if (environment === undefined) return ''
  const part = { target: null, category: null, environment: environmentKey(environment) }
  return environmentPart({ address: profileAddress(username, part), environment })
}

const environmentPart = template<'address' | 'environment'>(({ address, environment }) => (
  <a class="environment" href={address}>
    <bdi class="tag" safe>
      {environment}
    </bdi>
  </a>
))

const versionPart = template<'version'>(({ version }) => (
  <bdi class="version" safe>
    {version}
  </bdi>
))
