import { Html } from '@elysiajs/html'
import type { Category } from '../../domain/category.ts'
import { inOrder } from '../../domain/environments.ts'
import { environmentKey } from '../../domain/release.ts'
import { maxQuestionLength, type SearchQuestion } from '../../domain/search/question.ts'
import { feedAddress } from '../page/address.ts'
import { escaped } from '../parts/escaping-and-templates.ts'
import { adviceOnError } from '../parts/panels-and-forms.tsx'

/** The parts around the results that change with them. They settle first, because the scripts for results need them. */
const parts = ['#list-top', '#filters', '#moment'].map((part) => `${part}:outerHTML settle:0`).join(',')

type FindProps = {
  /** Null on a feed without a search. */
  asked?: SearchQuestion | null
  category: Category | null
}

/**
 * The search field and the categories, each of which keeps the value of the other. As one types, the answer replaces
 * all of the page around the field; a search that is refused says why below it.
 */
export function FindForm({ asked = null, category }: FindProps): JSX.Element {
  const isInField = asked !== null && asked.text !== asked.ofAnyCategory
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
            value={escaped(asked?.text ?? '')}
            placeholder="Search text, @person or host"
            aria-keyshortcuts="/"
            maxlength={maxQuestionLength}
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
      </form>
      <CategoryFilter
        active={category}
        href={(category) => feedAddress({ q: asked?.ofAnyCategory, category })}
      />
    </div>
  )
}

const filters: readonly (readonly [Category | null, string])[] = [
  [null, 'All'],
  ['feature', 'Features'],
  ['bug_fix', 'Bug fixes'],
  ['performance_improvement', 'Performance'],
  ['styling_change', 'Styling'],
]

type Props = { active: Category | null; href: (category: Category | null) => string }

export function CategoryFilter({ active, href }: Props): JSX.Element {
  return (
    <nav id="filters" aria-label="Categories">
      <ul class="filter">
        {filters.map(([category, name]) => (
          <li>
            <a
              class={category === null ? 'pill' : `pill ${category}`}
              href={escaped(href(category))}
              aria-current={category === active ? 'true' : undefined}
              safe
            >
              {name}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
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

/** The environments of a list, one of which may be shown alone. Empty for fewer than two. */
export function EnvironmentFilter({ environments, active, href }: EnvironmentProps): JSX.Element {
  const offered = inOrder(environments, (name) => name).slice(0, mostOffered)
  const isOffered = active === null || offered.some((name) => environmentKey(name) === active)
  const shown = isOffered ? offered : [...offered, active]
  if (active === null && shown.length < 2) return ''
  return (
    <nav aria-label="Environments">
      <ul class="filter">
        {[null, ...shown].map((name) => {
          const environment = name === null ? null : environmentKey(name)
          return (
            <li>
              <a
                class="pill"
                href={escaped(href(environment))}
                aria-current={environment === active ? 'true' : undefined}
              >
                <bdi safe>{name ?? 'All environments'}</bdi>
              </a>
            </li>
          )
        })}
      </ul>
    </nav>
  )
}

type ActiveEnvironmentProps = { environment: string; clear: string }

/** Shows that a list has only one environment; `clear` is the address of the list of all environments. */
export function ActiveEnvironment({ environment, clear }: ActiveEnvironmentProps): JSX.Element {
  return (
    <p class="active-target">
      Only deployments to <strong safe>{environment}</strong>.{' '}
      <a href={escaped(clear)}>Show all environments</a>
    </p>
  )
}
