import { Html } from '@elysiajs/html'
import { type PartOfFeed, syndicationAddress, wallAddress } from '../page/address.ts'
import { escaped } from '../parts/markup.ts'

const formats = [
  ['atom', 'Atom', 'application/atom+xml'],
  ['json', 'JSON', 'application/feed+json'],
] as const

/** The links in the head of a page by which feed readers find its feeds. */
export function AlternateLinks(part: PartOfFeed): JSX.Element {
  return (
    <>
      {formats.map(([format, name, type]) => (
        <link rel="alternate" type={type} title={name} href={escaped(syndicationAddress(format, part))} />
      ))}
    </>
  )
}

/** The same links for people, and the link to the wallboard unless it is a search. */
export function SubscribeLinks(part: PartOfFeed): JSX.Element {
  return (
    <>
      {formats.map(([format, name]) => (
        <a href={escaped(syndicationAddress(format, part))}>{name}</a>
      ))}
      {part.q === undefined && <a href={escaped(wallAddress(part))}>Wallboard</a>}
    </>
  )
}
