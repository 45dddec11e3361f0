import { Html } from '@elysiajs/html'
import type { Category } from '../../domain/category.ts'
import { maxQuestionLength } from '../../domain/search/question.ts'
import { feedAddress } from '../page/address.ts'
import { attribute } from '../parts/attribute.ts'
import { CategoryFilter } from './category-filter.tsx'

/** The search field and the categories, each of which keeps what the other says. */
export function FindForm({ q, category }: { q?: string; category: Category | null }): JSX.Element {
  return (
    <div class="find">
      <form class="search" aria-label="Search" action="/" method="get">
        <label for="q">Search deployments</label>
        <input
          type="search"
          name="q"
          id="q"
          value={attribute(q ?? '')}
          placeholder="Search text, @person or host"
          aria-keyshortcuts="/"
          maxlength={maxQuestionLength}
          autocomplete="off"
          autocapitalize="none"
          spellcheck="false"
          enterkeyhint="search"
        />
        {category !== null && <input type="hidden" name="category" value={category} />}
        {q === undefined ? (
          <kbd>/</kbd>
        ) : (
          <a class="clear" href={attribute(feedAddress({ category }))} aria-label="Clear the search">
            ×
          </a>
        )}
      </form>
      <CategoryFilter active={category} href={(category) => feedAddress({ q, category })} />
    </div>
  )
}
