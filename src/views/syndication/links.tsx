import { Html } from '@elysiajs/html'
import type { Category } from '../../domain/category.ts'
import { syndicationAddress } from '../page/address.ts'
import { attribute } from '../parts/attribute.ts'

const formats = [
  ['atom', 'Atom', 'application/atom+xml'],
  ['json', 'JSON Feed', 'application/feed+json'],
] as const

type Props = {
  /** Null for everybody's deployments. */
  username: string | null
  category: Category | null
  target: string | null
}

/** For the head of a page: where feed readers find what it shows. */
export function AlternateLinks(props: Props): JSX.Element {
  return (
    <>
      {formats.map(([format, name, type]) => (
        <link rel="alternate" type={type} title={name} href={attribute(syndicationAddress(format, props))} />
      ))}
    </>
  )
}

/** The same for people. */
export function SubscribeLinks(props: Props): JSX.Element {
  return (
    <p class="hint subscribe">
      In your feed reader:{' '}
      {formats.map(([format, name], n) => (
        <>
          {n > 0 && ' · '}
          <a href={attribute(syndicationAddress(format, props))}>{name}</a>
        </>
      ))}
    </p>
  )
}
