import { Html } from '@elysiajs/html'
import type { BadgeChoice } from '../../badge/choice.ts'
import type { User } from '../../domain/account/user.ts'
import { Layout } from '../page/layout.tsx'
import type { Site } from '../page/site.ts'
import { BadgeEmbed } from './embed-panel.tsx'

type Props = {
  site: Site
  viewer: User | null
  user: User
  targets: readonly string[]
  target: string | null
  choice: BadgeChoice
}

/** The badge panel of a profile on a page of its own, for browsers without scripts. */
export function EmbedPage({ site, viewer, user, ...embed }: Props): JSX.Element {
  return (
    <Layout
      site={site}
      viewer={viewer}
      title={`Badge for ${user.name}`}
      description={`Choose a badge that shows when ${user.name} last deployed, and copy it.`}
      canonical={`/${user.username}/badge`}
    >
      <header class="list-head">
        <h1>
          <a class="quiet" href={`/${user.username}`}>
            <bdi safe>{user.name}</bdi>
          </a>
        </h1>
      </header>
      <BadgeEmbed site={site} username={user.username} {...embed} />
    </Layout>
  )
}
