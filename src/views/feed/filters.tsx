import { Html } from '@elysiajs/html'
import type { Category } from '../../domain/category.ts'
import { type Facet, type Facets, facets, facetsOfMany, oneFacet } from '../../domain/feed/facets.ts'
import type { TimeRange } from '../../domain/feed/time-range.ts'
import { escaped } from '../parts/markup.ts'
import { Instant } from '../parts/time-element.tsx'

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

const filters: readonly (readonly [Category | undefined, string])[] = [
  [undefined, 'All'],
  ['feature', 'Features'],
  ['bug_fix', 'Bug fixes'],
  ['performance_improvement', 'Performance'],
  ['styling_change', 'Styling'],
]

type CategoryProps = { by: Facets; href: (by: Facets) => string }

/** The list of each category, and of all. */
export function CategoryFilter({ by, href }: CategoryProps): JSX.Element {
  const choices = filters.map(([category, name]) => ({
    name,
    look: category === undefined ? 'pill' : `pill ${category}`,
    href: href(category === undefined ? {} : { category }),
    isActive: category === by.category,
  }))
  return <Filter id="filters" label="Categories" choices={choices} />
}

/** How many values of a facet are offered: each pull request may have an environment. */
const maxOffered = 8

type FacetsProps = CategoryProps & {
  /** Values that the list has, as they were sent. Others are offered while they are shown. */
  offered: { readonly [F in Facet]?: readonly string[] }
}

/** The facets of a list, of each of which one value may be shown alone. Empty for fewer than two values. */
export function FacetFilters({ by, offered, href }: FacetsProps): JSX.Element {
  return (
    <>
      <CategoryFilter by={by} href={href} />
      {facetsOfMany.map((facet) => (
        <ValueFilter {...{ facet, by, href }} values={offered[facet] ?? []} />
      ))}
    </>
  )
}

type ValuesProps = CategoryProps & { facet: Facet; values: readonly string[] }

function ValueFilter({ facet, by, href, values }: ValuesProps): JSX.Element {
  const { list, read } = facets[facet]
  const active = by[facet] ?? null
  const offered = values.slice(0, maxOffered)
  const isOffered = active === null || offered.some((name) => read(name) === active)
  const shown = isOffered ? offered : [...offered, active]
  if (active === null && shown.length < 2) return ''
  const choices = [null, ...shown].map((name) => {
    const value = name === null ? null : read(name)
    return {
      name: <bdi safe>{name ?? `All ${list}`}</bdi>,
      href: href(oneFacet(facet, value)),
      isActive: value === active,
    }
  })
  return <Filter label={list.charAt(0).toUpperCase() + list.slice(1)} choices={choices} />
}

type TimeProps = {
  time: TimeRange
  /** The address of the same list of any time. */
  all: string
}

/** The time of a list that has bounds, and the way to the whole list. */
export function ActiveTime({ time: { from, to }, all }: TimeProps): JSX.Element {
  return (
    <p class="active-target">
      Only deployments
      {from !== null && (
        <>
          {' '}
          from <Instant instant={from} />
        </>
      )}
      {to !== null && (
        <>
          {' '}
          until <Instant instant={to} />
        </>
      )}
      . <a href={escaped(all)}>Show any time</a>
    </p>
  )
}
