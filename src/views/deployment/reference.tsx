import { Html } from '@elysiajs/html'
import { referenceOf } from '../../domain/entry/reference.ts'
import { prepared } from '../parts/prepared.ts'
import { readableHost } from '../parts/readable-address.ts'

type Props = { url: string | null; commit: string | null }

/**
 * The posted link by the name of what it leads to, else by the commit, or as an arrow; who hears the page is
 * told its host. Without a link, the commit alone.
 */
export function Reference({ url, commit }: Props): JSX.Element {
  if (url === null) return commit === null ? '' : unlinked({ commit })
  // A link that was accepted by another version, and cannot be read now, must not take its whole page down.
  const host = readableHost(URL.parse(url)?.host ?? url)
  const name = referenceOf(url) ?? commit
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

const unlinked = prepared<'commit'>(({ commit }) => (
  <code class="commit on-wide" safe>
    {commit}
  </code>
))

const arrow = prepared<'url' | 'label'>(({ url, label }) => (
  <a class="reference" href={url} rel="nofollow ugc noreferrer">
    <span class="unseen" safe>
      {label}
    </span>
  </a>
))
