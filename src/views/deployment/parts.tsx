import { Html } from '@elysiajs/html'
import type { User } from '../../domain/account/user.ts'
import { type Category, categories } from '../../domain/category.ts'
import type { Headline } from '../../domain/entry/headline.ts'
import type { Project } from '../../domain/entry/project.ts'
import { projectAddress } from '../page/address.ts'
import { attribute } from '../parts/attribute.ts'
import { prepared } from '../parts/prepared.ts'
import { readableHost, readablePath } from '../parts/readable-address.ts'

export function Poster({ poster }: { poster: Pick<User, 'username' | 'name'> }): JSX.Element {
  return (
    <a class="quiet" href={`/${poster.username}`}>
      <bdi safe>{poster.name}</bdi>
    </a>
  )
}

type ProjectProps = { project: Project; username: string }

/** "ada/engine" or "ada.dev", which leads to the page of what this user deployed to it. */
export function ProjectLink({ project, username }: ProjectProps): JSX.Element {
  const address = projectAddress(username, project.scope)
  if (project.owner === null) return hostLink({ address, name: readableHost(project.name) })
  return repositoryLink({ address, owner: readablePath(project.owner), name: readablePath(project.name) })
}

const hostLink = prepared<'address' | 'name'>(({ address, name }) => (
  <a class="project" href={address}>
    <bdi dir="ltr" safe>
      {name}
    </bdi>
  </a>
))

const repositoryLink = prepared<'address' | 'owner' | 'name'>(({ address, owner, name }) => (
  <a class="project" href={address}>
    <bdi class="owner" dir="ltr" safe>
      {owner}
    </bdi>
    <bdi dir="ltr" safe>{`/${name}`}</bdi>
  </a>
))

/** The first line, in which only what was shipped is heavy. */
export function Subject({ headline: { prefix, subject, suffix } }: { headline: Headline }): JSX.Element {
  return `${prefix && soft({ text: prefix })}${attribute(subject)}${suffix && soft({ text: suffix })}`
}

const soft = prepared<'text'>(({ text }) => (
  <span class="soft" safe>
    {text}
  </span>
))

/** The label of a category, of which phones show the first word; nothing where no category is known. */
export function CategoryLabel({ category }: { category: Category | null }): JSX.Element {
  return category === null ? '' : labels[category]
}

const labels = Object.fromEntries(
  Object.entries(categories).map(([category, name]) => [category, <Label category={category} name={name} />]),
) as Record<Category, JSX.Element>

/** "bug fix" is one word as far as phones are concerned. */
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
