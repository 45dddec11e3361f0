import { Html } from '@elysiajs/html'
import { drawable, shortened } from '../../card/lines.ts'
import type { User } from '../../domain/account/user.ts'
import { deploymentsBetween } from '../../domain/cadence.ts'
import { type DeploymentDay, daysInOverview } from '../../domain/overview.ts'
import { utcDayOf } from '../../domain/time.ts'
import { dayInWords } from '../parts/calendar.ts'
import { forgeAndName, unescapedTarget } from '../parts/readable-address.ts'
import { counted } from '../parts/text.tsx'
import { besideRoom, Card, drawableName, facts, SubjectAndPoster, YearStrip } from './parts.tsx'

type Props = {
  user: Pick<User, 'username' | 'name'>
  /** Null for everything that the user deploys to. */
  target: string | null
  days: readonly DeploymentDay[]
  /** The instant of the last deployment. */
  latest: Date | null
  now: Date
}

/**
 * The picture of a profile or of a project: its name, its numbers and its year. "@ada deployed" replaces a name
 * that Inter cannot draw (docs/decisions.md#pages).
 */
export function YearCard({ user, target, days, latest, now }: Props): JSX.Element {
  const { username } = user
  const today = utcDayOf(now)
  const total = counted(deploymentsBetween(days, today - daysInOverview + 1, today), 'deployment')
  const last = latest === null ? '' : ` · the last on ${dayInWords(latest)}`
  const name = drawableName(user.name)
  const subject = target === null ? name : projectName(target)
  return (
    <Card>
      <SubjectAndPoster
        headline={{ prefix: '', subject: subject ?? '' }}
        otherwise={`@${username} deployed`}
        poster={user}
        who={target === null ? `@${username}` : name}
        facts={shortened(`${total} in the last year${last}`, besideRoom, facts)}
      />
      <YearStrip days={days} last={today} />
    </Card>
  )
}

/** The project without its forge and without escapes; null if Inter lacks its letters. */
function projectName(target: string): string | null {
  return drawable(unescapedTarget(target).slice(forgeAndName(target).forge.length), facts.weight)
}
