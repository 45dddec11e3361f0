import { Html } from '@elysiajs/html'
import type { Category } from '../../domain/category.ts'
import { inOrder } from '../../domain/environments.ts'
import { environmentKey } from '../../domain/release.ts'
import type { SearchQuestion } from '../../domain/search/question.ts'
import { textBounds } from '../../domain/text-bounds.ts'
import { feedAddress } from '../page/address.ts'
import { adviceOnError } from '../parts/form.tsx'
import { escaped } from '../parts/markup.ts'

/** The parts that change with the results. They settle first, because the scripts for results need them. */
const parts = ['#list-top', '#filters', '#moment'].map((part) => `${part}:outerHTML settle:0`).join(',')

type FindProps = { asked?: SearchQuestion; category: Category | null; environment?: string | null }

/**
 * The search field and the categories. As one types, the answer replaces all of the page around the field. In a list of
 * one environment, the field begins with it, so that a search stays there.
 */
export function FindForm({ asked, category, environment = null }: FindProps): JSX.Element {
  const isInField = asked !== undefined && asked.text !== asked.ofAnyCategory
  return (
    <div class="find">
      <form
        class="search"
        aria-label="Search"
        action="/"
        method="get"
        hx-get="/"
        hx-trigger="input delay:300ms"
        hx-sync="replace"
        hx-target="#results"
        hx-select="#results"
        hx-select-oob={parts}
        hx-swap="outerHTML"
        hx-replace-url="true"
        {...adviceOnError}
      >
        <div class="box">
          <label class="unseen" for="q">
            Search deployments
          </label>
          <input
            type="search"
            name="q"
            id="q"
            value={escaped(asked?.text ?? (environment === null ? '' : `env:${environment} `))}
            placeholder="Search text, @person or host"
            aria-keyshortcuts="/"
            maxlength={textBounds.question}
            autocomplete="off"
            autocapitalize="none"
            spellcheck="false"
            enterkeyhint="search"
          />
          {category !== null && !isInField && <input type="hidden" name="category" value={category} />}
          <kbd class="with-scripts">/</kbd>
          <a
            class="clear"
            href={escaped(feedAddress({ category: isInField ? null : category }))}
            aria-label="Clear the search"
          >
            ×
          </a>
          <button type="submit" class="without-scripts">
            Search
          </button>
        </div>
        <div class="unsent" role="alert"></div>
        {/* For screen readers; search-field-and-count.js says here what a search has found. */}
        <p class="unseen" id="said" role="status"></p>
      </form>
      <CategoryFilter
        active={category}
        href={(category) => feedAddress({ q: asked?.ofAnyCategory, category })}
      />
    </div>
  )
}

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
