import { Html } from '@elysiajs/html'
import { Panel } from './panel.tsx'
import { Age, Day } from './time.tsx'

export type Session = {
  readonly current: boolean
  readonly device: string
  readonly createdAt: Date
  readonly lastSeenAt: Date
}

export function SessionsPanel({ now, sessions }: { now: Date; sessions: readonly Session[] }): JSX.Element {
  return (
    <Panel id="sessions" title="Sessions" hint="Where you are signed in">
      <ul class="sessions">
        {sessions.map((session) => (
          <SessionItem session={session} now={now} />
        ))}
      </ul>
      {sessions.some((session) => !session.current) && <EndOthers />}
    </Panel>
  )
}

function SessionItem({ session, now }: { session: Session; now: Date }): JSX.Element {
  return (
    <li>
      <span>
        <bdi safe>{session.device}</bdi>
        {session.current && <strong class="mark">this one</strong>}
      </span>
      <span class="hint">
        since <Day instant={session.createdAt} /> · seen <Age then={session.lastSeenAt} now={now} />
      </span>
    </li>
  )
}

function EndOthers(): JSX.Element {
  return (
    <form method="post" action="/settings/sessions/end">
      <button type="submit">Sign out everywhere else</button>
    </form>
  )
}
