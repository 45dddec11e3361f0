import { Html, type PropsWithChildren } from '@elysiajs/html'
import { freshnessBounds, freshnessOf } from '../../domain/freshness.ts'
import type { DeployedTarget, Overview } from '../../domain/statistics/overview.ts'
import { day, hour } from '../../domain/time.ts'
import { BadgeEmbed } from '../badge/embed-panel.tsx'
import { latestIn, OpenGraph } from '../deployment/link-preview.tsx'
import { profileAddress, projectAddress } from '../page/address.ts'
import { Layout } from '../page/layout.tsx'
import { keepOnError } from '../parts/form.tsx'
import { escaped, template } from '../parts/markup.ts'
import { counted } from '../parts/numbers.ts'
import { Panel } from '../parts/panel.tsx'
import { forgeAndName, readableTarget } from '../parts/readable-address.ts'
import { ShortAge } from '../parts/time-element.tsx'
import { Dot } from './board.tsx'
import { DeploymentsOfUser, type PropsOfUser } from './deployments.tsx'
import { numbersOf, Statistics } from './statistics.tsx'
import { Year } from './year.tsx'

/** The deployment that the badge in the head of a page is about. */
export type Latest = {
  /** As written; null if it need not be said. */
  readonly environment: string | null
  readonly deployedAt: Date | null
  /** Whether the badge is about that environment alone. */
  readonly isAlone: boolean
}

type Props = PropsWithChildren<
  PropsOfUser & {
    /** Only if the badge is not simply about the latest deployment. */
    readonly latest?: Latest | null
    /** What stands above the statistics. */
    readonly board?: JSX.Element
  }
>

/** The page of a user or of one of their projects, below the head that the children draw. */
export function PageOfUser({ children, latest = null, board = '', ...props }: Props): JSX.Element {
  const { site, viewer, user, target, by, on, overview } = props
  const { username, name } = user
  const readable = target === null ? null : readableTarget(target)
  const title = readable === null ? `${name} (@${username})` : `${readable} by ${name}`
  const older = `Older deployments ${readable === null ? 'by' : 'to'} ${title}`
  const to = readable === null ? '' : ` to ${readable}`
  const description = latestIn(props) ?? `What ${name} has deployed${to}, newest first.`
  const part = { username, target, by }
  return (
    <Layout
      {...{ site, viewer, description }}
      title={on === null && overview === null ? older : title}
      canonical={profileAddress(username, part)}
      feeds={part}
      head={
        <OpenGraph
          type={target === null ? 'profile' : 'article'}
          address={site.baseUrl + profileAddress(username, { target })}
          {...{ site, title, description }}
        />
      }
      list={props}
    >
      {children}
      {overview !== null && <OverviewPanels {...props} {...{ overview, latest, board }} />}
      <DeploymentsOfUser {...props} />
    </Layout>
  )
}

type ShownProps = PropsOfUser & { overview: Overview }

type PanelsProps = ShownProps & { latest: Latest | null; board: JSX.Element }

/** The part that overview.js refreshes after each event, except for the badge to embed, with the reader's choices. */
function OverviewPanels({ latest, board, ...props }: PanelsProps): JSX.Element {
  const { site, user, by, target, year, overview, environments } = props
  const { username } = user
  const [deployedAt = null] = overview.recent
  const numbers = deployedAt === null ? null : numbersOf(overview)
  const safeLinks = site.slots.otherForms({ username, by, target })
  return (
    <div id="overview" {...refreshedFrom(profileAddress(username, { target, by, year }))}>
      <p class="hint meaning">
        {escaped(meaningOf(latest ?? { environment: null, deployedAt, isAlone: false }, overview.now))}
      </p>
      {board}
      {numbers !== null && <Statistics {...numbers} />}
      {numbers !== null && <Year {...props} numbers={numbers} />}
      <div class="panels">
        {deployedAt !== null && <Targets {...props} />}
        <details class="embed-fold" hx-morph-skip>
          <summary>Badge</summary>
          <BadgeEmbed
            {...{ site, username, target, environments }}
            targets={overview.targets.map(({ target }) => target)}
            environment={(target === null ? null : by.environment) ?? null}
          />
        </details>
        {safeLinks !== '' && <p class="follow">{safeLinks}</p>}
      </div>
    </div>
  )
}

/** The attributes of a part of a page that overview.js refreshes from the page's address. */
export function refreshedFrom(address: string) {
  return {
    'hx-get': escaped(address),
    'hx-trigger': 'refresh',
    'hx-select': '#overview',
    'hx-swap': 'outerMorph ignoreTitle:true',
    'hx-sync': 'drop',
    ...keepOnError,
  }
}

/** What the colour of the badge above means: "Fresh: deployed to staging in the last 3 hours". */
function meaningOf({ environment, deployedAt, isAlone }: Latest, now: Date): string {
  const freshness = freshnessOf(deployedAt, now)
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

/** The targets of a user, the latest first; on the page of a host, those below it. */
function Targets({ site, overview, user, target: host, environments }: ShownProps): JSX.Element {
  const { username } = user
  const { targets, now } = overview
  if (host !== null && targets.length === 0) return ''
  const more = targets.slice(shownAtOnce)
  return (
    <Panel id="targets" title={host === null ? 'Projects' : `Projects under ${readableTarget(host)}`}>
      {targets.length === 0 && <p class="hint">Deployments with a link are grouped by project here.</p>}
      <TargetList {...{ username, now }} targets={targets.slice(0, shownAtOnce)} />
      {targets.length > shownOnPhones && (
        <details class={more.length > 0 ? 'fold' : 'fold on-narrow'}>
          <summary safe>{`All ${targets.length}`}</summary>
          {more.length > 0 && <TargetList {...{ username, now }} targets={more} />}
        </details>
      )}
      {host === null && site.slots.underProjects(username, environments)}
    </Panel>
  )
}

type ListProps = { targets: readonly DeployedTarget[]; username: string; now: Date }

function TargetList({ targets, username, now }: ListProps): JSX.Element {
  return (
    <ul class="targets">
      {targets.map(({ target, deployedAt }) => {
        const { forge, name } = forgeAndName(target)
        // Where there is no room, the owner on a forge is left out, and only then the name is cut.
        const end = forge === '' ? 0 : name.lastIndexOf('/') + 1
        const texts = {
          address: projectAddress(username, target),
          owner: name.slice(0, end),
          name: name.slice(end),
        }
        const dot = <Dot freshness={freshnessOf(deployedAt, now)} />
        return item(texts, { dot, age: <ShortAge instant={deployedAt} now={now} /> })
      })}
    </ul>
  )
}

const item = template<'address' | 'owner' | 'name', 'dot' | 'age'>(
  ({ address, owner, name }, { dot, age }) => (
    <li>
      {dot}
      <a class="quiet" href={address}>
        <bdi>
          <span>{owner}</span>
          <span>{name}</span>
        </bdi>
      </a>
      {age}
    </li>
  ),
)
