import { basePathOf } from '../../domain/base-path.ts'
import { urlOf } from '../../domain/field-parsing.ts'
import { isTooLong } from '../../domain/text-bounds.ts'
import { Problem } from '../../http/problem.ts'
import { idOf, type QueryParameters } from '../../http/query-parameters.ts'
import type { Site } from '../../views/page/site.ts'
import { escaped } from '../../views/parts/markup.ts'
import { forms, frameAddress } from './address.ts'
import type { Changelog } from './rules.ts'
import { changelogTitle } from './shown.ts'

/** The width and the height of a frame in pixels, unless the reader has less room. */
const usual = 640

type Size = { readonly width: number; readonly height: number }

/** `?maxwidth=` and `?maxheight=`. Throws `bad_request`. */
export function readSize({ maxwidth, maxheight }: QueryParameters): Size {
  return { width: within('maxwidth', maxwidth), height: within('maxheight', maxheight) }
}

function within(name: string, given: string | undefined): number {
  if (!given) return usual
  const most = idOf(given)
  if (most === null) throw new Problem('bad_request', `"${name}" must be a whole number of pixels from 1 on.`)
  return Math.min(usual, most)
}

/** Throws `not_implemented` for any other format than JSON. */
export function refuseOtherFormats({ format }: QueryParameters): void {
  if (format !== undefined && format !== '' && format !== 'json') throw new Problem('not_implemented')
}

/** The path of an address of this service, without its base path. Throws `bad_request` and `not_found`. */
export function pathIn({ url }: QueryParameters, baseUrl: string): string {
  const read = url === undefined || isTooLong(url, 'link') ? null : urlOf(url)
  if (read === null) {
    throw new Problem('bad_request', `Send the address of a changelog of this service as "url".`)
  }
  const path = basePathOf(baseUrl)
  if (read.host !== new URL(baseUrl).host || !read.pathname.startsWith(`${path}/`)) throw notOurs()
  return read.pathname.slice(path.length)
}

export function notOurs(): Problem {
  return new Problem('not_found', 'Only changelogs and projects of this service can be embedded.')
}

/**
 * Which projects the path of a page may name, the likelier first: a page that ends in `changelog` may be that of a
 * project with this name. Their targets are as they are written.
 */
export function partsIn(path: string): readonly Readonly<Record<'username' | 'target', string>>[] {
  const [, username = '', target = ''] = /^\/([^/]+)\/(.+?)\/?$/.exec(path) ?? []
  const end = `/${forms.page}`
  const targets = target.endsWith(end) ? [target, target.slice(0, -end.length)] : [target]
  return targets.map((written) => ({ username, target: written }))
}

/** What oEmbed 1.0 says of a changelog. */
export function embedOf({ baseUrl }: Site, changelog: Changelog, size: Size): object {
  const { user } = changelog
  const title = changelogTitle(changelog)
  const frame = baseUrl + frameAddress({ ...changelog, before: null })
  return {
    version: '1.0',
    type: 'rich',
    title,
    author_name: user.name,
    author_url: `${baseUrl}/${user.username}`,
    provider_name: 'Shipfeed',
    provider_url: `${baseUrl}/`,
    ...size,
    html: `<iframe src="${escaped(frame)}" title="${escaped(title)}" width="${size.width}" height="${size.height}" loading="lazy" referrerpolicy="no-referrer" sandbox="${sandbox}"></iframe>`,
  }
}

/** The frame needs no scripts and no forms. With its own origin, it may load its stylesheet; its links open elsewhere. */
const sandbox = 'allow-same-origin allow-popups allow-popups-to-escape-sandbox'
