import { Html } from '@elysiajs/html'
import { type BadgeChoice, badgeShows, badgeStyles, longestLabel } from '../../badge/badge.ts'
import { usualLabel } from '../../badge/status.ts'
import type { User } from '../../domain/account/user.ts'
import { maxEnvironmentCharacters } from '../../domain/deployment.ts'
import { Layout } from '../page/layout.tsx'
import type { Site } from '../page/site.ts'
import { attribute, keepOnError } from '../parts/attributes.ts'
import { Panel } from '../parts/panel.tsx'
import { forgeAndName, readableTarget } from '../parts/readable-address.ts'
import { Snippet, SnippetTabs } from '../parts/snippet.tsx'
import { template } from '../parts/template.ts'
import { yearImageSize } from '../profile/year-image.tsx'
import { BadgeImage } from './image.tsx'
import {
  badgeAddress,
  badgeAlt,
  badgeFormats,
  badgeSnippet,
  type EmbeddedBadge,
  formatNames,
  offeredChoice,
  yearAddress,
  yearPanelAddress,
  yearSnippet,
} from './snippets.ts'

type Props = {
  site: Site
  username: string
  /** The targets to pick from. */
  targets?: readonly string[]
  target?: string | null
  environment?: string | null
  choice?: BadgeChoice
}

/** A preview of a user's badge, its options, and the snippet to copy. */
export function BadgeEmbed(props: Props): JSX.Element {
  const { site, username, targets = [], target = null, environment = null, choice } = props
  const { baseUrl } = site
  const offered = target === null || targets.includes(target) ? targets : [target, ...targets]
  const picker = offered.length === 0 ? '' : TargetPicker({ chosen: target, targets: offered })
  if (target === null && environment === null && choice === undefined)
    return usualPanel({ baseUrl, username }, { picker })
  const badge = { ...(choice ?? offeredChoice), username, target, environment }
  return <EmbedPanel baseUrl={baseUrl} badge={badge} picker={picker} />
}

/** The panel of a profile. */
const usualPanel = template<'baseUrl' | 'username', 'picker'>(({ baseUrl, username }, { picker }) => (
  <EmbedPanel
    baseUrl={baseUrl}
    badge={{ ...offeredChoice, username, target: null, environment: null }}
    picker={picker}
  />
))

type PanelProps = { baseUrl: string; badge: EmbeddedBadge; picker: JSX.Element }

function EmbedPanel({ baseUrl, badge, picker }: PanelProps): JSX.Element {
  const { username, target } = badge
  return (
    <Panel id="embed" title={target === null ? 'Badge' : `Badge for ${forgeAndName(target).name}`}>
      <p class="preview">
        <BadgeImage address={badgeAddress(badge)} alt={badgeAlt(badge)} choice={badge} />
      </p>
      <BadgePickers badge={badge} picker={picker} />
      <SnippetTabs
        name="format"
        legend="As"
        inWords
        snippets={formatNames.map((format) => [
          badgeFormats[format].name,
          badgeSnippet(format, baseUrl, badge),
        ])}
      />
      <p class="hint">
        Always current, never cached. <a href="/docs#on-github">Does GitHub show an old one?</a>{' '}
        <a href={attribute(yearPanelAddress(username, target))}>The year as a picture</a>
      </p>
    </Panel>
  )
}

type YearProps = { site: Site; username: string; target: string | null }

/** The year as a picture for a README. */
function YearEmbed({ site, username, target }: YearProps): JSX.Element {
  return (
    <Panel id="embed-year" title="The year">
      <p class="preview">
        <img
          src={attribute(yearAddress(username, target))}
          alt="Deployments in the last year"
          {...yearImageSize}
        />
      </p>
      <Snippet
        id="year-snippet"
        label="Markdown"
        isOneLine
        code={yearSnippet(site.baseUrl, username, target)}
      />
      <p class="hint">
        As fresh as the badge. It follows the reader's colours; <code>?theme=light</code> or{' '}
        <code>?theme=dark</code> sets them.
      </p>
    </Panel>
  )
}

type BadgePickersProps = { badge: EmbeddedBadge; picker: JSX.Element }

/** The options of a badge: with scripts, each choice updates the panel; without, the form leads to a page. */
function BadgePickers({ badge, picker }: BadgePickersProps): JSX.Element {
  const { username, environment, style, show, label } = badge
  const address = `/${username}/badge`
  return (
    <form
      class="pickers"
      action={address}
      hx-get={address}
      hx-trigger="change"
      hx-target="#embed"
      hx-select="#embed"
      hx-swap="outerMorph"
      hx-sync="this:replace"
      {...keepOnError}
    >
      <WordPicker name="style" legend="Style" words={badgeStyles} chosen={style} />
      <WordPicker name="show" legend="Shows" words={badgeShows} chosen={show} />
      <div class="choice">
        <label for="badge-label">Label</label>
        <input
          id="badge-label"
          name="label"
          value={label === usualLabel ? '' : label}
          placeholder={usualLabel}
          maxlength={longestLabel}
          pattern="[A-Za-z0-9 ._\/\-]*"
          title="Letters, digits, spaces and . _ / -"
          autocomplete="off"
        />
      </div>
      {picker}
      <div class="choice">
        <label for="badge-env">Environment</label>
        <input
          id="badge-env"
          name="env"
          value={attribute(environment ?? '')}
          placeholder="any"
          maxlength={maxEnvironmentCharacters}
          pattern="[A-Za-z0-9._\/\-]*"
          title="Letters, digits and . _ / -, such as production"
          autocomplete="off"
          autocapitalize="none"
          spellcheck="false"
        />
      </div>
      <button class="without-scripts" type="submit">
        Show
      </button>
    </form>
  )
}

type WordProps = { name: string; legend: string; words: readonly string[]; chosen: string }

function WordPicker({ name, legend, words, chosen }: WordProps): JSX.Element {
  return (
    <fieldset class="choice">
      <legend safe>{legend}</legend>
      {words.map((word) => (
        <>
          <input
            class="unseen"
            type="radio"
            name={name}
            id={`badge-${name}-${word}`}
            value={word}
            checked={word === chosen}
            autocomplete="off"
          />
          <label for={`badge-${name}-${word}`} safe>
            {word}
          </label>
        </>
      ))}
    </fieldset>
  )
}

type TargetProps = { chosen: string | null; targets: readonly string[] }

function TargetPicker({ chosen, targets }: TargetProps): JSX.Element {
  return (
    <div class="choice">
      <label for="badge-target">For</label>
      <select id="badge-target" name="target" autocomplete="off">
        <option value="">all projects</option>
        {targets.map((target) => {
          const option = target === chosen ? chosenOption : otherOption
          return option({ target, name: readableTarget(target) })
        })}
      </select>
    </div>
  )
}

const optionOf = (isChosen: boolean) =>
  template<'target' | 'name'>(({ target, name }) => (
    <option value={target} selected={isChosen} safe>
      {name}
    </option>
  ))
const chosenOption = optionOf(true)
const otherOption = optionOf(false)

type PageProps = {
  site: Site
  viewer: User | null
  user: User
  targets: readonly string[]
  target: string | null
  choice: BadgeChoice
}

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
