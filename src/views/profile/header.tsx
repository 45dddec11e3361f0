import { Html } from '@elysiajs/html'
import type { User } from '../../domain/user.ts'
import { monthInWords } from '../parts/calendar.ts'
import { Identicon } from '../parts/identicon.tsx'

export function ProfileHeader({ user, since }: { user: User; since: Date }): JSX.Element {
  return (
    <header class="profile">
      <Identicon username={user.username} />
      <div class="who">
        <h1>
          <bdi safe>{user.name}</bdi>
        </h1>
        <p class="hint" safe>{`@${user.username} · shipping since ${monthInWords(since)}`}</p>
      </div>
      <img class="badge" src={`/badge/${user.username}.svg`} alt="Last deployment" height="20" />
    </header>
  )
}
