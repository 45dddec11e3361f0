import { Html } from '@elysiajs/html'
import type { Category } from '../../domain/category.ts'
import { syndicationAddress, wallAddress } from '../page/address.ts'
import { attribute } from '../parts/attribute.ts'

const formats = [
  ['atom', 'Atom', 'application/atom+xml'],
  ['json', 'JSON', 'application/feed+json'],
] as const

/** What a page lists, for those who follow it elsewhere. */
export type Feeds = {
  /** Null for everybody's deployments. */
  readonly username: string | null
  readonly category: Category | null
  readonly target: string | null
  readonly environment?: string | null
  /** What is searched for. */
  readonly q?: string
}

/** For the head of a page: where feed readers find what it shows. */
export function AlternateLinks(feeds: Feeds): JSX.Element {
  return (
    <>
      {formats.map(([format, name, type]) => (
        <link rel="alternate" type={type} title={name} href={attribute(syndicationAddress(format, feeds))} />
      ))}
    </>
  )
}

/** The same for people, and what shows it on a wall, which searches nothing: parts of a line of links. */
export function SubscribeLinks(feeds: Feeds): JSX.Element {
  const { environment = null, q } = feeds
  return (
    <>
      {formats.map(([format, name]) => (
        <a href={attribute(syndicationAddress(format, feeds))}>{name}</a>
      ))}
      {q === undefined && <a href={attribute(wallAddress({ ...feeds, environment }))}>Wallboard</a>}
    </>
  )
}
