import { type BadgeChoice, defaultChoice } from '../../badge/badge.ts'
import { profileAddress, withQuery } from '../page/address.ts'

/** A user's badge with the chosen options, for one target or for all of them (null). */
export type EmbeddedBadge = BadgeChoice & {
  readonly username: string
  readonly target: string | null
  readonly environment?: string | null
}

/** The default choice, which our own pages use too: an age says more than the name of a state. */
export const offeredChoice: BadgeChoice = { ...defaultChoice, show: 'age' }

type Parts = { readonly image: string; readonly page: string; readonly alt: string }

export const badgeFormats = {
  markdown: {
    name: 'Markdown',
    write: ({ image, page, alt }: Parts) => `[![${alt}](${image})](${page})`,
  },
  html: {
    name: 'HTML',
    write: ({ image, alt }: Parts) => `<img src="${inAttribute(image)}" alt="${alt}" height="20">`,
  },
  rst: {
    name: 'reST',
    write: ({ image, page, alt }: Parts) => `.. image:: ${image}\n   :target: ${page}\n   :alt: ${alt}`,
  },
  asciidoc: {
    name: 'Adoc',
    write: ({ image, page, alt }: Parts) => `image:${image}[${alt},link=${page}]`,
  },
} as const

export type BadgeFormat = keyof typeof badgeFormats
export const formatNames = Object.keys(badgeFormats) as readonly BadgeFormat[]

/** The text to paste for a badge that links to its list of deployments. */
export function badgeSnippet(format: BadgeFormat, baseUrl: string, badge: EmbeddedBadge): string {
  const { username, target, environment = null } = badge
  return badgeFormats[format].write({
    image: baseUrl + badgeAddress(badge),
    page:
      baseUrl +
      readable(profileAddress(username, { target, by: environment === null ? {} : { environment } })),
    alt: badgeAlt(badge),
  })
}

export function badgeAlt({ show, label }: Pick<EmbeddedBadge, 'show' | 'label'>): string {
  const alt = show === 'environments' ? 'Environments' : 'Last deployment'
  return label === defaultChoice.label ? alt : `${alt}: ${label}`
}

export function badgeAddress({ username, target, environment, ...choice }: EmbeddedBadge): string {
  const query = new URLSearchParams()
  for (const name of ['style', 'show', 'label'] as const) {
    if (choice[name] !== defaultChoice[name]) query.set(name, choice[name])
  }
  if (choice.pre && choice.show === 'version') query.set('pre', '1')
  if (target !== null) query.set('url', target)
  if (environment) query.set('env', environment)
  return `/badge/${username}.svg${query.size === 0 ? '' : `?${readable(String(query))}`}`
}

export const yearAlt = 'Deployments in the last year'

/** The year of a user or of one target, to paste in Markdown or HTML. Safari knows its reader's colours only this way. */
export function yearSnippet(baseUrl: string, username: string, target: string | null): string {
  const page = baseUrl + inAttribute(profileAddress(username, { target }))
  const image = baseUrl + inAttribute(yearAddress(username, target))
  return `<a href="${page}">
  <picture>
    <source media="${isDark}" srcset="${image}?theme=dark">
    <img src="${image}?theme=light" alt="${yearAlt}">
  </picture>
</a>`
}

/** Our addresses hold no quotes. */
function inAttribute(address: string): string {
  return address.replaceAll('&', '&amp;')
}

export const isDark = '(prefers-color-scheme: dark)'

export function yearPanelAddress(username: string, target: string | null): string {
  return `${withQuery(`/${username}/badge`, { target })}#embed-year`
}

export function yearAddress(username: string, target: string | null): string {
  return `${profileAddress(username, { target })}/year.svg`
}

/** Escapes the characters that AsciiDoc and Markdown would read as emphasis, and keeps slashes. */
function readable(address: string): string {
  return address.replaceAll('%2F', '/').replaceAll('_', '%5F').replaceAll('*', '%2A')
}
