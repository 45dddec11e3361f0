import { type BadgeChoice, usualChoice } from '../../badge/choice.ts'
import { profileAddress } from '../page/address.ts'

/** Whose badge, as it was chosen, for which target (null: all of them). */
export type EmbeddedBadge = BadgeChoice & { readonly username: string; readonly target: string | null }

/** What is offered first, and what our own pages show: an age tells more than the name of a state. */
export const offeredChoice: BadgeChoice = { ...usualChoice, show: 'age' }

type Parts = { readonly image: string; readonly page: string; readonly alt: string }

/** The languages that a badge can be pasted into. */
export const formats = {
  markdown: {
    name: 'Markdown',
    write: ({ image, page, alt }: Parts) => `[![${alt}](${image})](${page})`,
  },
  html: {
    name: 'HTML',
    write: ({ image, alt }: Parts) =>
      `<img src="${image.replaceAll('&', '&amp;')}" alt="${alt}" height="20">`,
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

export type Format = keyof typeof formats
export const formatNames = Object.keys(formats) as readonly Format[]

/** The text to paste for a badge that links to the list it stands for. */
export function badgeSnippet(format: Format, baseUrl: string, badge: EmbeddedBadge): string {
  const { username, target } = badge
  return formats[format].write({
    image: baseUrl + badgeAddress(badge),
    page: baseUrl + readable(profileAddress(username, { target, category: null })),
    alt: badgeAlt(badge),
  })
}

/** The text for who does not see the image. */
export function badgeAlt({ label }: Pick<EmbeddedBadge, 'label'>): string {
  return label === usualChoice.label ? 'Last deployment' : `Last deployment: ${label}`
}

export function badgeAddress({ username, target, ...choice }: EmbeddedBadge): string {
  const query = new URLSearchParams()
  for (const name of ['style', 'show', 'label'] as const) {
    if (choice[name] !== usualChoice[name]) query.set(name, choice[name])
  }
  if (target !== null) query.set('url', target)
  return `/badge/${username}.svg${query.size === 0 ? '' : `?${readable(String(query))}`}`
}

/** The badge in the head of a page, of all that a user deploys or of one target. */
export function headBadgeAddress(username: string, target: string | null = null): string {
  return badgeAddress({ ...offeredChoice, username, target })
}

/** Leaves slashes alone, and escapes what AsciiDoc and Markdown would read as emphasis. */
function readable(address: string): string {
  return address.replaceAll('%2F', '/').replaceAll('_', '%5F').replaceAll('*', '%2A')
}
