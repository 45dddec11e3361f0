import { Html } from '@elysiajs/html'
import type { User } from '../../domain/account/user.ts'
import { deploymentsBetween } from '../../domain/statistics/frequency.ts'
import { type DeploymentDay, daysInOverview } from '../../domain/statistics/overview.ts'
import { utcDayOf } from '../../domain/time.ts'
import { dayInWords } from '../../views/parts/dates.ts'
import { counted } from '../../views/parts/numbers.ts'
import { shortened } from './lines.ts'
import {
  Card,
  drawableName,
  drawableProject,
  facts,
  roomNextToAvatar,
  SubjectAndPoster,
  YearStrip,
} from './parts.tsx'

type Props = {
  user: Pick<User, 'username' | 'name'>
  /** Null for everything that the user deploys to. */
  target: string | null
  days: readonly DeploymentDay[]
  latest: Date | null
  now: Date
}

/** The picture of a profile or of a project: its name, its numbers and its year. */
export function YearCard({ user, target, days, latest, now }: Props): JSX.Element {
  const { username } = user
  const today = utcDayOf(now)
  const total = counted(deploymentsBetween(days, today - daysInOverview + 1, today), 'deployment')
  const last = latest === null ? '' : ` · the last on ${dayInWords(latest)}`
  const name = drawableName(user.name)
  const subject = target === null ? name : drawableProject(target)
  return (
    <Card>
      <SubjectAndPoster
        headline={{ prefix: '', subject: subject ?? '' }}
        otherwise={`@${username} deployed`}
        username={username}
        who={target === null ? `@${username}` : name}
        facts={shortened(`${total} in the last year${last}`, roomNextToAvatar, facts)}
      />
      <YearStrip days={days} last={today} />
    </Card>
  )
}
