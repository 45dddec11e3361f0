import type { BadgeStyle } from '../../badge/badge.ts'
import { profileAddress } from '../page/address.ts'

/** Whose badge, in which style, for which target (null: all of them). */
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

/** The text to paste for a badge that links to the list it stands for. */
export function badgeSnippet(format: Format, baseUrl: string, choice: BadgeChoice): string {
  const { username, target } = choice
  return formats[format].write({
    image: baseUrl + badgeAddress(choice),
    page: baseUrl + readable(profileAddress(username, { target, category: null })),
  })
}

export function badgeAddress({ username, style, target }: BadgeChoice): string {
  const query = new URLSearchParams()
  if (style !== 'standard') query.set('style', style)
  if (target !== null) query.set('url', target)
  return `/badge/${username}.svg${query.size === 0 ? '' : `?${readable(String(query))}`}`
}

/** Leaves slashes alone, and escapes what AsciiDoc and Markdown would read as emphasis. */
function readable(address: string): string {
  return address.replaceAll('%2F', '/').replaceAll('_', '%5F').replaceAll('*', '%2A')
}
