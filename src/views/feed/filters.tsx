import { Html } from '@elysiajs/html'
import type { Category } from '../../domain/category.ts'
import { inOrder } from '../../domain/environments.ts'
import { environmentKey } from '../../domain/release.ts'
import { escaped } from '../parts/markup.ts'

type FilterProps = {
  id?: string
  label: string
  choices: readonly { name: JSX.Element; look?: string; href: string; isActive: boolean }[]
}

function Filter({ id, label, choices }: FilterProps): JSX.Element {
  return (
    <nav id={id} aria-label={label}>
      {/* Firefox would stop at it by keyboard, because it scrolls sideways on phones. */}
      <ul class="filter" tabindex="-1">
        {choices.map(({ name, look = 'pill', href, isActive }) => (
          <li>
            <a class={look} href={escaped(href)} aria-current={isActive ? 'true' : undefined}>
              {name}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

const filters: readonly (readonly [Category | null, string])[] = [
  [null, 'All'],
  ['feature', 'Features'],
  ['bug_fix', 'Bug fixes'],
  ['performance_improvement', 'Performance'],
  ['styling_change', 'Styling'],
]

type CategoryProps = { active: Category | null; href: (category: Category | null) => string }

export function CategoryFilter({ active, href }: CategoryProps): JSX.Element {
  const choices = filters.map(([category, name]) => ({
    name,
    look: category === null ? 'pill' : `pill ${category}`,
    href: href(category),
    isActive: category === active,
  }))
  return <Filter id="filters" label="Categories" choices={choices} />
}

/** How many environments of a user are offered: each pull request may have one. */
const mostOffered = 8

type EnvironmentProps = {
  /** The names of those that the list has, the newest first. */
  environments: readonly string[]
  /** The one that is shown, in the form in which they are compared. */
  active: string | null
  href: (environment: string | null) => string
}

/** The environments of a list, of which one may be shown alone. Empty for fewer than two. */
export function EnvironmentFilter({ environments, active, href }: EnvironmentProps): JSX.Element {
  const offered = inOrder(environments, (name) => name).slice(0, mostOffered)
  const isOffered = active === null || offered.some((name) => environmentKey(name) === active)
  const shown = isOffered ? offered : [...offered, active]
  if (active === null && shown.length < 2) return ''
  const choices = [null, ...shown].map((name) => {
    const environment = name === null ? null : environmentKey(name)
    return {
      name: <bdi safe>{name ?? 'All environments'}</bdi>,
      href: href(environment),
      isActive: environment === active,
    }
  })
  return <Filter label="Environments" choices={choices} />
}
