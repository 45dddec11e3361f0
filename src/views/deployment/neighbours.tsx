import { Html } from '@elysiajs/html'
import type { Neighbour } from '../../domain/deployment.ts'
import { headlineOf } from '../../domain/entry/headline.ts'
import { Age } from '../parts/time.tsx'
import { Subject } from './parts.tsx'

type Props = { username: string; before: Neighbour | null; after: Neighbour | null; now: Date }

/** The deployments before and after one, the older at the start; nothing if it is the only one. */
export function Neighbours({ username, before, after, now }: Props): JSX.Element {
  if (before === null && after === null) return ''
  return (
    <nav class="neighbours" aria-label="Before and after this deployment">
      {before !== null && <Beside of={before} words="Before this" rel="prev" username={username} now={now} />}
      {after !== null && <Beside of={after} words="After this" rel="next" username={username} now={now} />}
    </nav>
  )
}

type BesideProps = { of: Neighbour; words: string; rel: 'prev' | 'next'; username: string; now: Date }

function Beside({ of, words, rel, username, now }: BesideProps): JSX.Element {
  return (
    <a href={`/${username}/${of.id}`} rel={rel}>
      <small>
        <span safe>{words}</span>, <Age then={of.deployedAt} now={now} />
      </small>
      <bdi>
        <Subject headline={headlineOf(of.message)} />
      </bdi>
    </a>
  )
}
