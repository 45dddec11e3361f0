import { Html } from '@elysiajs/html'
import type { Category } from '../../domain/category.ts'
import { attribute } from '../parts/attribute.ts'

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
    <nav aria-label="Categories">
      <ul class="filter">
        {filters.map(([category, name]) => (
          <li>
            <a
              class={category === null ? 'pill' : `pill ${category}`}
              href={attribute(href(category))}
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
