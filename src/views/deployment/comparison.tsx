import { Html } from '@elysiajs/html'
import type { Deployment } from '../../domain/deployment.ts'
import { compareReplaced } from '../../domain/release/comparison.ts'
import { nameOfRelease } from '../../domain/release/release.ts'
import { escaped, template } from '../parts/markup.ts'

type Props = { deployment: Deployment }

/** "back to v2.3.0", around the label of the version; without one, it names the commit. */
export function BackTo({ deployment, version }: Props & { version: JSX.Element }): JSX.Element {
  const commit = <bdi class="version">{escaped(nameOfRelease(deployment) ?? '')}</bdi>
  return <span class="back-to">back to {version === '' ? commit : version}</span>
}

/** In a list, after the version: that it is the one that was there before. */
export function SameRelease({ deployment }: Props): JSX.Element {
  return deployment.replaced?.step === 'same' ? sameRelease : ''
}

const sameRelease = <span class="same-release on-wide">the same release</span>

/** In a list: the page of the forge that shows what changed; empty if there is none. */
export function CompareLink({ deployment }: Props): JSX.Element {
  const url = compareReplaced(deployment)
  if (url === null) return ''
  return compare({ url, release: nameOfRelease(deployment.replaced ?? {}) ?? '' })
}

const compare = template<'url' | 'release'>(({ url, release }) => (
  <a class="compare on-wide" href={url} rel="nofollow ugc" aria-label={`Compare with ${release}`}>
    Compare
  </a>
))

/** On the page of a deployment: what it replaced, and where to see it; empty for the first in its environment. */
export function WhatChanged({ deployment }: Props): JSX.Element {
  const { replaced, poster, environment = '' } = deployment
  if (!replaced) return ''
  const name = nameOfRelease(replaced)
  const url = compareReplaced(deployment)
  return (
    <p class="what-changed">
      {leadTo[replaced.step]}
      <a href={`/${poster.username}/${replaced.id}`}>
        {name === null ? 'the deployment before it' : <bdi safe>{name}</bdi>}
      </a>{' '}
      in <bdi safe>{environment}</bdi>.
      {url !== null && (
        <>
          {' '}
          <CompareOn url={url} />
        </>
      )}
    </p>
  )
}

const leadTo = { onward: 'Replaced ', back: 'Went back from ', same: 'The same release as ' } as const

/** "Compare on github.com", a link to the page of a forge that compares two releases. */
export function CompareOn({ url }: { url: string }): JSX.Element {
  return (
    <a href={escaped(url)} rel="nofollow ugc noreferrer">
      Compare on {escaped(new URL(url).host)}
    </a>
  )
}
