import { Html } from '@elysiajs/html'
import { type Category, categories } from '../domain/category.ts'
import type { User } from '../domain/user.ts'
import { attribute } from './attribute.ts'

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

export function Message({ message }: { message: string }): JSX.Element {
  return (
    <p class="message">
      <bdi class="lines" safe>
        {message}
      </bdi>
    </p>
  )
}

/** The posted link without its scheme, as the browser reads it: a host in disguise shows its true name. */
export function PostedLink({ url, shape }: { url: string; shape: 'in-one-line' | 'whole' }): JSX.Element {
  const { href, protocol } = new URL(url)
  const shown = href.slice(protocol.length + '//'.length).replace(/\/$/, '')
  return (
    <a class={`posted-link ${shape}`} href={attribute(url)} rel="nofollow ugc noopener noreferrer">
      <bdi dir="ltr" safe>
        {shown}
      </bdi>{' '}
      <span aria-hidden="true">↗</span>
    </a>
  )
}
