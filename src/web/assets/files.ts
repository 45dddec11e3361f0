import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type BadgeStyle, renderBadge } from '../../badge/badge.ts'
import type { Freshness } from '../../domain/freshness.ts'
import { badgeStyles } from '../../views/badge/snippets.ts'
import { states } from '../../views/docs/badges.tsx'
import type { Assets } from '../../views/page/site.ts'

const types = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
} as const

export type Asset = { readonly content: string; readonly type: string }

/**
 * The files of the pages, read once at start. The browser says ages and days by the server's own code: two modules
 * which for that reason import nothing.
 */
const files: Readonly<Record<string, Asset>> = {
  'site.css': { content: read('../../../static/css/site.css'), type: types.css },
  'app.js': { content: read('../../../static/js/app.js'), type: types.js },
  'connection.js': { content: read('../../../static/js/connection.js'), type: types.js },
  'copy.js': { content: read('../../../static/js/copy.js'), type: types.js },
  'day-list.js': { content: read('../../../static/js/day-list.js'), type: types.js },
  'forms.js': { content: read('../../../static/js/forms.js'), type: types.js },
  'heat-map.js': { content: read('../../../static/js/heat-map.js'), type: types.js },
  'time.js': { content: typeScript('../../domain/time.ts'), type: types.js },
  'calendar.js': { content: typeScript('../../views/parts/calendar.ts'), type: types.js },
  'htmx.js': { content: read(import.meta.resolve('htmx.org/dist/htmx.min.js')), type: types.js },
  'hx-sse.js': { content: read(import.meta.resolve('htmx.org/dist/ext/hx-sse.min.js')), type: types.js },
  'favicon-waiting.svg': { content: read('../../../static/favicon-waiting.svg'), type: types.svg },
  'waiting-title.js': { content: read('../../../static/js/waiting-title.js'), type: types.js },
  ...exampleBadges(),
}

/** One folder for all, named by their content: a copy is never out of date, and modules find each other. */
const folder = `/assets/${Bun.hash(JSON.stringify(files)).toString(36)}`

/** The addresses for the pages. */
export const assetAddresses: Assets = {
  css: `${folder}/site.css`,
  htmx: `${folder}/htmx.js`,
  sse: `${folder}/hx-sse.js`,
  app: `${folder}/app.js`,
  favicon: '/favicon.svg',
}

/** The address of a badge that stays as it is, as nobody's own does: an example for the docs. */
export function exampleBadgeAddress(status: Freshness, style: BadgeStyle): string {
  return `${folder}/${exampleBadgeName(status, style)}`
}

/** Every file by its address. */
export const assetsByAddress: ReadonlyMap<string, Asset> = new Map(
  Object.entries(files).map(([name, asset]) => [`${folder}/${name}`, asset]),
)

export const favicon = { content: read('../../../static/favicon.svg'), type: types.svg }
export const robots = { content: read('../../../static/robots.txt'), type: types.txt }

function exampleBadges(): Record<string, Asset> {
  const pictures = badgeStyles.flatMap((style) =>
    states.map(([status]) => {
      const content = renderBadge({ status, style, age: null })
      return [exampleBadgeName(status, style), { content, type: types.svg }] as const
    }),
  )
  return Object.fromEntries(pictures)
}

function exampleBadgeName(status: Freshness, style: BadgeStyle): string {
  return `badge-${style}-${status.toLowerCase()}.svg`
}

function read(source: string): string {
  return readFileSync(fileURLToPath(new URL(source, import.meta.url)), 'utf8')
}

function typeScript(source: string): string {
  return new Bun.Transpiler({ loader: 'ts' }).transformSync(read(source))
}
