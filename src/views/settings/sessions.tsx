import { Html } from '@elysiajs/html'
import { Form } from '../parts/form.tsx'
import { Notice } from '../parts/notice.tsx'
import { Panel } from '../parts/panel.tsx'
import { Age, Day } from '../parts/time.tsx'

export type SessionRow = {
  readonly current: boolean
  readonly device: string
  readonly createdAt: Date
  readonly lastSeenAt: Date
}

type Props = { now: Date; sessions: readonly SessionRow[]; notice: string | null }

export function SessionsPanel({ now, sessions, notice }: Props): JSX.Element {
  return (
    <Panel id="sessions" title="Sessions" hint="Where you are signed in">
      <ul>
        {sessions.map((session) => (
          <SessionItem session={session} now={now} />
        ))}
      </ul>
      {sessions.some((session) => !session.current) && <EndOthers />}
      <Notice text={notice} />
    </Panel>
  )
}

function SessionItem({ session, now }: { session: SessionRow; now: Date }): JSX.Element {
  return (
    <li class="row">
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
    <Form action="/settings/sessions/end" within="sessions">
      <button type="submit">Sign out everywhere else</button>
    </Form>
  )
}
