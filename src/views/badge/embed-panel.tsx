import { Html } from '@elysiajs/html'
import type { BadgeChoice } from '../../badge/badge.ts'
import type { User } from '../../domain/account/user.ts'
import { Layout } from '../page/layout.tsx'
import type { Site } from '../page/site.ts'
import { escaped, template } from '../parts/markup.ts'
import { Panel } from '../parts/panel.tsx'
import { forgeAndName } from '../parts/readable-address.ts'
import { Snippet, SnippetTabs } from '../parts/snippet.tsx'
import { yearImageSize } from '../profile/year-image.tsx'
import { BadgeImage } from './image.tsx'
import { BadgePickers, type BadgePickersProps, ShowsPicker, TargetPicker } from './pickers.tsx'
import {
  badgeAddress,
  badgeAlt,
  badgeFormats,
  badgeSnippet,
  formatNames,
  isDark,
  offeredChoice,
  yearAddress,
  yearAlt,
  yearPanelAddress,
  yearSnippet,
} from './snippets.ts'

type Props = {
  site: Site
  username: string
  targets?: readonly string[]
  target?: string | null
  environment?: string | null
  /** The environments that are suggested, as written. */
  environments?: readonly string[]
  choice?: BadgeChoice
}

/** A preview of a user's badge, its options, and the snippet to copy. */
export function BadgeEmbed(props: Props): JSX.Element {
  const { site, username, targets = [], target = null, environment = null, environments = [], choice } = props
  const { baseUrl } = site
  const offered = target === null || targets.includes(target) ? targets : [target, ...targets]
  const hasTargets = offered.length > 0
  const isNeeded = choice?.show === 'environments'
  const picker = hasTargets ? TargetPicker({ chosen: target, targets: offered, isNeeded }) : ''
  const suggested = environments.map((name) => suggestion({ name })).join('')
  const access = site.publicBadges ? '' : <ForMembers />
  if (target === null && environment === null && choice === undefined) {
    const shows = hasTargets ? defaultShows : showsWithoutTargets
    return defaultPanel({ baseUrl, username }, { shows, picker, suggested, access })
  }
  const badge = { ...(choice ?? offeredChoice), username, target, environment }
  const shows = <ShowsPicker chosen={badge.show} hasTargets={hasTargets} />
  return <EmbedPanel {...{ baseUrl, badge, shows, picker, suggested, access }} />
}

function ForMembers(): JSX.Element {
  return (
    <p class="hint">
      Only members see the badge and the year. For a README, add <code>key=</code> and your{' '}
      <a href="/settings#read-key">read key</a> to the address of the image.
    </p>
  )
}

const suggestion = template<'name'>(({ name }) => <option value={name}></option>)

const defaultShows = <ShowsPicker chosen={offeredChoice.show} hasTargets={true} />
const showsWithoutTargets = <ShowsPicker chosen={offeredChoice.show} hasTargets={false} />

const defaultPanel = template<'baseUrl' | 'username', 'shows' | 'picker' | 'suggested' | 'access'>(
  ({ baseUrl, username }, { shows, picker, suggested, access }) => {
    const badge = { ...offeredChoice, username, target: null, environment: null }
    return <EmbedPanel {...{ baseUrl, badge, shows, picker, suggested, access }} />
  },
)

/** `access` says who sees the badge, unless everybody does. */
type PanelProps = BadgePickersProps & { baseUrl: string; access: JSX.Element }

function EmbedPanel({ baseUrl, badge, shows, picker, suggested, access }: PanelProps): JSX.Element {
  const { username, target } = badge
  return (
    <Panel id="embed" title={target === null ? 'Badge' : `Badge for ${forgeAndName(target).name}`}>
      <p class="grounds">
        <BadgeImage address={badgeAddress(badge)} alt={badgeAlt(badge)} choice={badge} />
        <BadgeImage address={badgeAddress(badge)} alt="The same on a dark page" choice={badge} />
      </p>
      <BadgePickers {...{ badge, shows, picker, suggested }} />
      <SnippetTabs
        name="format"
        legend="As"
        inWords
        snippets={formatNames.map((name) => [badgeFormats[name].name, badgeSnippet(name, baseUrl, badge)])}
      />
      <p class="hint">
        Always current, never cached. <a href="/docs#on-github">Does GitHub show an old one?</a>{' '}
        <a href={escaped(yearPanelAddress(username, target))}>The year as a picture</a>
      </p>
      {access}
    </Panel>
  )
}

type YearProps = { site: Site; username: string; target: string | null }

function YearEmbed({ site, username, target }: YearProps): JSX.Element {
  const image = yearAddress(username, target)
  return (
    <Panel id="embed-year" title="The year">
      <p class="preview">
        <picture>
          <source media={isDark} srcset={escaped(`${image}?theme=dark`)} />
          <img src={escaped(`${image}?theme=light`)} alt={yearAlt} {...yearImageSize} />
        </picture>
      </p>
      <Snippet
        id="year-snippet"
        label="Markdown or HTML"
        code={yearSnippet(site.baseUrl, username, target)}
      />
      <p class="hint">
        As current as the badge, and light or dark as its reader's system is. For one of them everywhere, keep
        only the <code>img</code> with that theme.
      </p>
    </Panel>
  )
}

type PageProps = Omit<Props, 'username'> & { viewer: User | null; user: User; target: string | null }

/** The badge panel of a profile on a page of its own, for browsers without scripts. */
export function EmbedPage({ site, viewer, user, ...embed }: PageProps): JSX.Element {
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
      <YearEmbed site={site} username={user.username} target={embed.target} />
    </Layout>
  )
}
