import { Html } from '@elysiajs/html'
import type { BadgeChoice } from '../../badge/badge.ts'
import type { User } from '../../domain/account/user.ts'
import { Layout } from '../page/layout.tsx'
import type { Site } from '../page/site.ts'
import { escaped } from '../parts/markup.ts'
import { Panel } from '../parts/panel.tsx'
import { forgeAndName } from '../parts/readable-address.ts'
import { Snippet, SnippetTabs } from '../parts/snippet.tsx'
import { yearImageSize } from '../profile/year-image.tsx'
import { BadgeImage } from './image.tsx'
import { BadgePickers } from './pickers.tsx'
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
  const { site, username, targets = [], target = null, environment = null } = props
  const { environments = [], choice = offeredChoice } = props
  const badge = { ...choice, username, target, environment }
  const offered = target === null || targets.includes(target) ? targets : [target, ...targets]
  return (
    <Panel id="embed" title={target === null ? 'Badge' : `Badge for ${forgeAndName(target).name}`}>
      <p class="grounds">
        <BadgeImage address={badgeAddress(badge)} alt={badgeAlt(badge)} choice={badge} />
        <BadgeImage address={badgeAddress(badge)} alt="The same on a dark page" choice={badge} />
      </p>
      <BadgePickers badge={badge} targets={offered} environments={environments} />
      <SnippetTabs
        name="format"
        legend="As"
        inWords
        snippets={formatNames.map((name) => [
          badgeFormats[name].name,
          badgeSnippet(name, site.baseUrl, badge),
        ])}
      />
      <p class="hint">
        Always current, never cached. <a href="/docs#on-github">Does GitHub show an old one?</a>{' '}
        <a href={escaped(yearPanelAddress(username, target))}>The year as a picture</a>
      </p>
      {!site.publicBadges && (
        <p class="hint">
          Only members see the badge and the year. For a README, add <code>key=</code> and your{' '}
          <a href="/settings#read-key">read key</a> to the address of the image.
        </p>
      )}
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
