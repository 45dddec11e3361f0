import { Html } from '@elysiajs/html'
import type { User } from '../../domain/account/user.ts'
import type { Category } from '../../domain/category.ts'
import type { Overview } from '../../domain/overview.ts'
import { BadgeEmbed } from '../badge/panel.tsx'
import type { Site } from '../page/site.ts'
import { attribute } from '../parts/attribute.ts'
import { keepOnError } from '../parts/htmx.ts'
import { SubscribeLinks } from '../syndication/links.tsx'
import { Statistics } from './statistics.tsx'
import { Targets } from './targets.tsx'
import { Year } from './year.tsx'

type Props = {
  site: Site
  user: User
  category: Category | null
  environment: string | null
  /** Null on a profile. */
  target: string | null
  /** The UTC day that the list shows, by its number. */
  on: number | null
  overview: Overview
  /** Where the page is that this is a part of. */
  address: string
}

/**
 * The numbers, the year and the targets of a user, and the badge to embed. overview.js refreshes it after
 * each event of the list, except for the badge to embed, which holds the reader's choices.
 */
export function OverviewPanels({
  site,
  user,
  category,
  environment,
  target,
  on,
  overview,
  address,
}: Props): JSX.Element {
  const targets = overview.targets.map(({ target }) => target)
  const hasDeployed = overview.recent.length > 0
  return (
    <div
      id="overview"
      hx-get={attribute(address)}
      hx-trigger="refresh"
      hx-select="#overview"
      hx-swap="outerMorph ignoreTitle:true"
      hx-sync="drop"
      {...keepOnError}
    >
      {hasDeployed && <Statistics overview={overview} />}
      {hasDeployed && <Year overview={overview} category={category} environment={environment} on={on} />}
      <div class="panels">
        {hasDeployed && <Targets overview={overview} username={user.username} below={target} />}
        <details class="embed-fold" hx-morph-skip>
          <summary>Badge</summary>
          <BadgeEmbed site={site} username={user.username} targets={targets} target={target} />
        </details>
        <p class="follow">
          <SubscribeLinks username={user.username} {...{ category, target, environment }} />
        </p>
      </div>
    </div>
  )
}
