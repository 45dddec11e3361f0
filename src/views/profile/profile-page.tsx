import { Html } from '@elysiajs/html'
import { startOfDay } from '../../domain/time.ts'
import { HeadBadge } from '../badge/image.tsx'
import type { PageProps } from '../page/site.ts'
import { Avatar } from '../parts/avatar.tsx'
import { monthInWords } from '../parts/dates.ts'
import { Notice } from '../parts/form.tsx'
import type { FactsOfUser } from './deployments.tsx'
import { PageOfUser } from './overview.tsx'

export type ProfileFacts = FactsOfUser & { readonly since: Date; readonly withdrawn: boolean }

export function ProfilePage(props: PageProps & ProfileFacts): JSX.Element {
  const { viewer, user, since, overview, withdrawn } = props
  const { username, name } = user
  const firstDay = overview?.firstDay ?? null
  const begun =
    firstDay === null
      ? `joined ${monthInWords(since)}`
      : `first deployment in ${monthInWords(startOfDay(firstDay))}`
  return (
    <PageOfUser {...props}>
      {withdrawn && viewer?.id === user.id && <Notice text="Deployment withdrawn." />}
      <header class="profile">
        <Avatar username={username} />
        <div class="who">
          <h1>
            <bdi safe>{name}</bdi>
          </h1>
          <p class="hint" safe>{`@${username} · ${begun}`}</p>
        </div>
        <HeadBadge username={username} overview={overview} />
      </header>
    </PageOfUser>
  )
}
