import { Html } from '@elysiajs/html'
import type { User } from '../../domain/account/user.ts'
import { type Category, categories } from '../../domain/category.ts'

export function Poster({ poster }: { poster: User }): JSX.Element {
  return (
    <a class="quiet" href={`/${poster.username}`}>
      <bdi safe>{poster.name}</bdi>
    </a>
  )
}

export function CategoryLabel({ category }: { category: Category | null }): JSX.Element {
  return (
    <span class={`category ${category ?? ''}`}>
      {category === null ? 'deployment' : categories[category]}
    </span>
  )
}
