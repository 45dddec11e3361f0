import { Html } from '@elysiajs/html'
import { type Facets, facetQuery, facets, facetsOfMany, ofFewValues } from '../../domain/feed/facets.ts'
import { textBounds } from '../../domain/text-bounds.ts'
import { feedAddress } from '../../views/page/address.ts'
import { adviceOnError } from '../../views/parts/form.tsx'
import { escaped } from '../../views/parts/markup.ts'
import type { SearchQuestion } from './question.ts'

/** The parts that change with the results. They settle first, because the scripts for results need them. */
const parts = ['#list-top', '#filters', '#moment'].map((part) => `${part}:outerHTML settle:0`).join(',')

type FindProps = { asked?: SearchQuestion; by: Facets }

/**
 * The search field. As the reader types, the answer replaces the page around the field. In a list of one environment,
 * the field already holds it, so that a search keeps to that environment. A category is sent as a parameter of its own.
 */
export function SearchForm({ asked, by }: FindProps): JSX.Element {
  const isInField = asked !== undefined && asked.text !== asked.ofAnyCategory
  const apart = isInField ? {} : ofFewValues(by)
  return (
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
          value={escaped(asked?.text ?? keysOf(by))}
          placeholder="Search text, @person or host"
          aria-keyshortcuts="/"
          maxlength={textBounds.question}
          autocomplete="off"
          autocapitalize="none"
          spellcheck="false"
          enterkeyhint="search"
        />
        {Object.entries(facetQuery(apart)).map(([name, value]) => (
          <input type="hidden" name={name} value={escaped(value)} />
        ))}
        <kbd class="with-scripts">/</kbd>
        <a class="clear" href={escaped(feedAddress({ by: apart }))} aria-label="Clear the search">
          ×
        </a>
        <button type="submit" class="without-scripts">
          Search
        </button>
      </div>
      <div class="unsent" role="alert"></div>
      {/* For screen readers; search-form.js says here what a search has found. */}
      <p class="unseen" id="said" role="status"></p>
    </form>
  )
}

/** The facets of a list as a search has them: "env:production ". It cannot say a value with spaces. */
function keysOf(by: Facets): string {
  return facetsOfMany
    .filter((facet) => by[facet] !== undefined && !/\s/.test(by[facet]))
    .map((facet) => `${facets[facet].key}:${by[facet]} `)
    .join('')
}
