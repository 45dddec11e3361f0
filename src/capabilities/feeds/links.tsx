import { Html } from '@elysiajs/html'
import { syndicationAddress } from '../../views/page/address.ts'
import type { PageSlots } from '../../views/page/slots.ts'
import { escaped } from '../../views/parts/markup.ts'

const formats = [
  ['atom', 'Atom', 'application/atom+xml'],
  ['json', 'JSON', 'application/feed+json'],
] as const

/** The links to the feeds of a page: in its head for feed readers, and on it for people. */
export const feedLinks: PageSlots = {
  inHead: (part) => (
    <>
      {formats.map(([format, name, type]) => (
        <link rel="alternate" type={type} title={name} href={escaped(syndicationAddress(format, part))} />
      ))}
    </>
  ),
  otherForms: (part) => (
    <>
      {formats.map(([format, name]) => (
        <a href={escaped(syndicationAddress(format, part))}>{name}</a>
      ))}
    </>
  ),
  afterSearch: (part) => (
    <>
      {' '}
      · <a href={escaped(syndicationAddress('atom', part))}>Follow as Atom</a>
    </>
  ),
}
