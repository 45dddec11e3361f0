import { Html } from '@elysiajs/html'
import type { Category } from '../../domain/category.ts'
import type { SearchQuestion } from '../../domain/search/question.ts'
import { textBounds } from '../../domain/text-bounds.ts'
import { feedAddress } from '../page/address.ts'
import { adviceOnError } from '../parts/form.tsx'
import { escaped } from '../parts/markup.ts'
import { CategoryFilter } from './filters.tsx'

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
        {/* For screen readers; search-form.js says here what a search has found. */}
        <p class="unseen" id="said" role="status"></p>
      </form>
      <CategoryFilter
        active={category}
        href={(category) => feedAddress({ q: asked?.ofAnyCategory, category })}
      />
    </div>
  )
}
