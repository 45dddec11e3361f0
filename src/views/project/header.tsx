import { Html } from '@elysiajs/html'
import type { User } from '../../domain/account/user.ts'
import { daysInOverview, type Overview } from '../../domain/overview.ts'
import { deploymentsBetween } from '../../domain/statistics.ts'
import { dayOf, startOf } from '../../domain/time.ts'
import { headBadgeAddress } from '../badge/snippets.ts'
import { attribute } from '../parts/attribute.ts'
import { monthInWords } from '../parts/calendar.ts'
import { counted } from '../parts/counted.ts'
import { Identicon } from '../parts/identicon.tsx'
import { readableTarget } from '../parts/readable-address.ts'

type Props = {
  user: User
  target: string
  /** Null on an older page. */
  overview: Overview | null
}

/** Whose it is, what it is called, and where it is. */
export function ProjectHeader({ user, target, overview }: Props): JSX.Element {
  const [host = '', ...path] = readableTarget(target).split('/')
  return (
    <header class="project-head">
      <p class="owner">
        <a class="quiet" href={`/${user.username}`}>
          <Identicon username={user.username} />
          <bdi safe>{user.name}</bdi>
        </a>
      </p>
      <h1>
        <bdi dir="ltr">
          {path.length > 0 && <span class="host" safe>{`${host}/`}</span>}
          <span safe>{path.length > 0 ? path.join('/') : host}</span>
        </bdi>
      </h1>
      <img
        class="badge"
        src={attribute(headBadgeAddress(user.username, target))}
        alt="Last deployment"
        height="20"
      />
      <p class="hint">
        {overview !== null && <span safe>{`${historyOf(overview)} · `}</span>}
        <a
          class="outward"
          href={attribute(`https://${target.replace(/\/-$/, '')}`)}
          rel="nofollow ugc noreferrer"
        >
          <bdi dir="ltr" safe>
            {readableTarget(target)}
          </bdi>
        </a>
      </p>
    </header>
  )
}

/** "182 deployments since February 2026"; the number is counted for a year. */
function historyOf({ days, firstDay, now }: Overview): string {
  const today = dayOf(now)
  const year = today - daysInOverview + 1
  const first = firstDay ?? today
  const total = counted(deploymentsBetween(days, year, today), 'deployment')
  const since = monthInWords(startOf(first))
  return first >= year ? `${total} since ${since}` : `${total} in the last 12 months, the first in ${since}`
}
