import { Html } from '@elysiajs/html'
import { type SyndicationQuery, syndicationAddress, wallAddress } from '../page/address.ts'
import { escaped } from '../parts/escaping-and-templates.ts'

const formats = [
  ['atom', 'Atom', 'application/atom+xml'],
  ['json', 'JSON', 'application/feed+json'],
] as const

/** The feeds of the list that a page shows. */
export type Feeds = Omit<SyndicationQuery, 'before'>

/** The links in the head of a page by which feed readers find its feeds. */
export function AlternateLinks(feeds: Feeds): JSX.Element {
  return (
    <>
      {formats.map(([format, name, type]) => (
        <link rel="alternate" type={type} title={name} href={escaped(syndicationAddress(format, feeds))} />
      ))}
    </>
  )
}

/** The same links for people, and the link to the wallboard unless it is a search. */
export function SubscribeLinks(feeds: Feeds): JSX.Element {
  const { environment = null, q } = feeds
  return (
    <>
      {formats.map(([format, name]) => (
        <a href={escaped(syndicationAddress(format, feeds))}>{name}</a>
      ))}
      {q === undefined && <a href={escaped(wallAddress({ ...feeds, environment }))}>Wallboard</a>}
    </>
  )
}
