import { Html, type PropsWithChildren } from '@elysiajs/html'
import type { User } from '../../domain/account/user.ts'
import { day, hour } from '../../domain/ages-and-days.ts'
import type { Category } from '../../domain/category.ts'
import { type Freshness, freshnessBounds, freshnessOf } from '../../domain/freshness.ts'
import type { DeployedTarget, Overview } from '../../domain/statistics/overview-and-heat.ts'
import { BadgeEmbed } from '../badge/embed-panel.tsx'
import { environmentsAddress, profileAddress, projectAddress } from '../page/address.ts'
import type { Site } from '../page/site.ts'
import { escaped, template } from '../parts/escaping-and-templates.ts'
import { counted } from '../parts/links-and-marks.tsx'
import { keepOnError, Panel } from '../parts/panels-and-forms.tsx'
import { forgeAndName, readableTarget } from '../parts/readable-address.ts'
import { ShortAge } from '../parts/time-element.tsx'
import { SubscribeLinks } from '../syndication/links.tsx'
import { numbersOf, Statistics } from './statistics.tsx'
import { Year } from './year.tsx'

type Props = PropsWithChildren<{
  site: Site
  user: User
  category: Category | null
  environment: string | null
  /** Null on a profile. */
  target: string | null
  /** The UTC day that the list shows, by its number. */
  on: number | null
  /** Whether the days of the year are listed. */
  year: 'list' | null
  overview: Overview
  /** The names of all environments of the user or target, the newest first. */
  environments: readonly string[]
  /** What the badge above is about, if not simply the latest deployment. */
  latest?: Latest | null
}>

/** The deployment that a badge is about. */
export type Latest = {
  /** As written; null if it need not be said. */
  readonly environment: string | null
  readonly deployedAt: Date | null
  /** Whether the badge is about that environment alone. */
  readonly isAlone: boolean
}

/**
 * The numbers, the year and the targets of a user, and the badge to embed. overview.js refreshes them after
 * each event of the list, except for the badge to embed, which holds the reader's choices.
 */
export function OverviewPanels(props: Props): JSX.Element {
  const { site, user, category, environment, target, on, year, overview, environments, children } = props
  const { username } = user
  const about = props.latest ?? {
    environment: null,
    deployedAt: overview.recent[0] ?? null,
    isAlone: false,
  }
  const isOfAll = environment !== null || (target !== null && environments.length > 1)
  const targets = overview.targets.map(({ target }) => target)
  const hasDeployed = overview.recent.length > 0
  const numbers = hasDeployed ? numbersOf(overview) : null
  return (
    <div
      id="overview"
      hx-get={escaped(profileAddress(username, { target, category, environment, year }))}
      hx-trigger="refresh"
      hx-select="#overview"
      hx-swap="outerMorph ignoreTitle:true"
      hx-sync="drop"
      {...keepOnError}
    >
      <p class="hint meaning" safe>
        {meaningOf(freshnessOf(about.deployedAt, overview.now), about)}
      </p>
      {children}
      {numbers !== null && <Statistics facts={numbers.facts} />}
      {numbers !== null && <Year {...{ overview, numbers, category, environment, on, year, isOfAll }} />}
      <div class="panels">
        {hasDeployed && (
          <Targets overview={overview} username={username} below={target} environments={environments} />
        )}
        <details class="embed-fold" hx-morph-skip>
          <summary>Badge</summary>
          <BadgeEmbed
            {...{ site, targets, target, environments }}
            environment={target === null ? null : environment}
            username={username}
          />
        </details>
        <p class="follow">
          <SubscribeLinks {...{ username, category, target, environment }} />
        </p>
      </div>
    </div>
  )
}

/** What the colour of the badge above means: "Fresh: deployed to staging in the last 3 hours". */
function meaningOf(freshness: Freshness, { environment, isAlone }: Latest): string {
  if (freshness === 'Inactive') return 'Inactive: nothing deployed yet'
  const to = environment === null ? '' : ` to ${environment}`
  const [limit] = freshnessBounds.find(([, name]) => name === freshness) ?? []
  if (limit !== undefined) return `${freshness}: deployed${to} in the last ${inWholeUnits(limit)}`
  const [longest = 0] = freshnessBounds.at(-1) ?? []
  return `${freshness}: nothing deployed${isAlone ? to : ''} for ${inWholeUnits(longest)}`
}

function inWholeUnits(ms: number): string {
  return ms > day ? counted(ms / day, 'day') : counted(ms / hour, 'hour')
}

/** The number of targets shown before the rest are folded. On a phone the stylesheet folds those after the third. */
const shownAtOnce = 6
const shownOnPhones = 3

type TargetsProps = {
  overview: Overview
  username: string
  /** The host whose page it is, null on a profile. */
  below: string | null
  environments: readonly string[]
}

/** The targets of a user, the latest first: all of them, or those below a host. */
function Targets({ environments, ...props }: TargetsProps): JSX.Element {
  const { below, username } = props
  const { targets } = props.overview
  if (below !== null && targets.length === 0) return ''
  const more = targets.slice(shownAtOnce)
  return (
    <Panel id="targets" title={below === null ? 'Projects' : `Projects under ${readableTarget(below)}`}>
      {targets.length === 0 && <p class="hint">Deployments with a link are grouped by project here.</p>}
      <TargetList {...props} targets={targets.slice(0, shownAtOnce)} />
      {targets.length > shownOnPhones && (
        <details class={more.length > 0 ? 'fold' : 'fold on-narrow'}>
          <summary safe>{`All ${targets.length}`}</summary>
          {more.length > 0 && <TargetList {...props} targets={more} />}
        </details>
      )}
      {below === null && environments.length > 1 && (
        <p class="by-environment">
          <a href={environmentsAddress(username)}>What is live in each environment</a>
        </p>
      )}
    </Panel>
  )
}

type ListProps = Omit<TargetsProps, 'environments'> & { targets: readonly DeployedTarget[] }

function TargetList({ targets, overview: { now }, username }: ListProps): JSX.Element {
  return (
    <ul class="targets">
      {targets.map(({ target, deployedAt }) => {
        const freshness = freshnessOf(deployedAt, now)
        const { forge, name } = forgeAndName(target)
        // Where there is no room, the owner on a forge is left out, and only then the name is cut.
        const end = forge === '' ? 0 : name.lastIndexOf('/') + 1
        const texts = {
          ...{ freshness, state: freshness.toLowerCase() },
          ...{ owner: name.slice(0, end), name: name.slice(end) },
          address: projectAddress(username, target),
        }
        return item(texts, { age: <ShortAge instant={deployedAt} now={now} /> })
      })}
    </ul>
  )
}

type Text = 'freshness' | 'state' | 'address' | 'owner' | 'name'

const item = template<Text, 'age'>(({ freshness, state, address, owner, name }, { age }) => (
  <li>
    <span class={`dot ${state}`} role="img" aria-label={freshness} title={freshness} />
    <a class="quiet" href={address}>
      <bdi>
        <span safe>{owner}</span>
        <span safe>{name}</span>
      </bdi>
    </a>
    {age}
  </li>
))
