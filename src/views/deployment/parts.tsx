import { Html } from '@elysiajs/html'
import type { User } from '../../domain/account/user.ts'
import { type Category, categories } from '../../domain/category.ts'
import { prepared } from '../parts/prepared.ts'

export function Poster({ poster }: { poster: Pick<User, 'username' | 'name'> }): JSX.Element {
  return (
    <a class="quiet" href={`/${poster.username}`}>
      <bdi safe>{poster.name}</bdi>
    </a>
  )
}

export function CategoryLabel({ category }: { category: Category | null }): JSX.Element {
  return label({ category: category ?? '', name: category === null ? 'deployment' : categories[category] })
}

const label = prepared<'category' | 'name'>(({ category, name }) => (
  <span class={`category ${category}`} safe>
    {name}
  </span>
))
