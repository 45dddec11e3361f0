import { Html } from '@elysiajs/html'
import { referenceOf } from '../../domain/entry/reference.ts'
import { prepared } from '../parts/prepared.ts'
import { readableHost } from '../parts/readable-address.ts'

/** The posted link by the name of what it leads to, or as an arrow; who hears the page is told its host. */
export function Reference({ url }: { url: string }): JSX.Element {
  // A link that was accepted by another version, and cannot be read now, must not take its whole page down.
  const host = readableHost(URL.parse(url)?.host ?? url)
  const name = referenceOf(url)
  return name === null
    ? arrow({ url, label: `Link to ${host}` })
    : named({ url, name, label: `${name} on ${host}` })
}

const named = prepared<'url' | 'name' | 'label'>(({ url, name, label }) => (
  <a class="reference" href={url} rel="nofollow ugc noreferrer" aria-label={label}>
    <bdi class="on-wide" dir="ltr" safe>
      {name}
    </bdi>
  </a>
))

const arrow = prepared<'url' | 'label'>(({ url, label }) => (
  <a class="reference" href={url} rel="nofollow ugc noreferrer">
    <span class="unseen" safe>
      {label}
    </span>
  </a>
))
