import type { BadgeStyle } from '../../badge/badge.ts'
import { profileAddress } from '../page/address.ts'

/** Whose badge, in which style, of which target: null is everything. */
export type BadgeChoice = {
  readonly username: string
  readonly style: BadgeStyle
  readonly target: string | null
}

type Addresses = { readonly image: string; readonly page: string }

/** The languages that a badge can be pasted into. */
export const formats = {
  markdown: {
    name: 'Markdown',
    write: ({ image, page }: Addresses) => `[![Last deployment](${image})](${page})`,
  },
  html: {
    name: 'HTML',
    write: ({ image }: Addresses) =>
      `<img src="${image.replaceAll('&', '&amp;')}" alt="Last deployment" height="20">`,
  },
  rst: {
    name: 'reStructuredText',
    write: ({ image, page }: Addresses) =>
      `.. image:: ${image}\n   :target: ${page}\n   :alt: Last deployment`,
  },
  asciidoc: {
    name: 'AsciiDoc',
    write: ({ image, page }: Addresses) => `image:${image}[Last deployment,link=${page}]`,
  },
} as const

export type Format = keyof typeof formats
export const formatNames = Object.keys(formats) as readonly Format[]

/** What to paste to show a badge, which links to the list that it stands for. */
export function badgeSnippet(format: Format, baseUrl: string, choice: BadgeChoice): string {
  const { username, target } = choice
  return formats[format].write({
    image: baseUrl + badgeAddress(choice),
    page: baseUrl + readable(profileAddress(username, { target, category: null })),
  })
}

/** The path of a badge's image. */
export function badgeAddress({ username, style, target }: BadgeChoice): string {
  const query = new URLSearchParams()
  if (style !== 'standard') query.set('style', style)
  if (target !== null) query.set('url', target)
  return `/badge/${username}.svg${query.size === 0 ? '' : `?${readable(String(query))}`}`
}

/** A slash needs no escape in a query; what AsciiDoc and Markdown would read as emphasis does. */
function readable(address: string): string {
  return address.replaceAll('%2F', '/').replaceAll('_', '%5F').replaceAll('*', '%2A')
}
