import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Elysia } from 'elysia'
import type { Assets } from '../views/site.ts'
import { compressible, respondCompressed } from './compression.ts'
import { assetHeaders } from './headers.ts'
import { Problem } from './problem.ts'

const forEver = 'public, max-age=31536000, immutable'
const aDay = 'public, max-age=86400'

const types = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
} as const

type Asset = { readonly content: string; readonly type: string }

/** The files of the pages, read once at start. The browser says ages and days by the server's own code. */
const files: Readonly<Record<string, Asset>> = {
  'site.css': { content: read('../../static/site.css'), type: types.css },
  'app.js': { content: read('../../static/app.js'), type: types.js },
  'connection.js': { content: read('../../static/connection.js'), type: types.js },
  'copy.js': { content: read('../../static/copy.js'), type: types.js },
  'day-list.js': { content: read('../../static/day-list.js'), type: types.js },
  'forms.js': { content: read('../../static/forms.js'), type: types.js },
  'heat-map.js': { content: read('../../static/heat-map.js'), type: types.js },
  'age.js': { content: typeScript('../domain/age.ts'), type: types.js },
  'calendar.js': { content: typeScript('../views/calendar.ts'), type: types.js },
  'htmx.js': { content: read(import.meta.resolve('htmx.org/dist/htmx.min.js')), type: types.js },
  'hx-sse.js': { content: read(import.meta.resolve('htmx.org/dist/ext/hx-sse.min.js')), type: types.js },
}

/** One folder for all, named by their content: a copy is never out of date, and modules find each other. */
const folder = `/assets/${Bun.hash(JSON.stringify(files)).toString(36)}`

const served = new Map(Object.entries(files).map(([name, asset]) => [name, servable(asset)]))
const favicon = servable({ content: read('../../static/favicon.svg'), type: types.svg })
const robots = servable({ content: read('../../static/robots.txt'), type: types.txt })

/** The addresses for the pages. */
export const assetAddresses: Assets = {
  css: `${folder}/site.css`,
  htmx: `${folder}/htmx.js`,
  sse: `${folder}/hx-sse.js`,
  app: `${folder}/app.js`,
  favicon: '/favicon.svg',
}

/** The static files. */
export function assets() {
  return new Elysia({ name: 'assets' })
    .get('/assets/*', ({ path, request }) => {
      const asset = path.startsWith(`${folder}/`) ? served.get(path.slice(folder.length + 1)) : undefined
      if (asset === undefined) throw new Problem('not_found', 'No file has this address.')
      return asset(request, forEver)
    })
    .get('/favicon.svg', ({ request }) => favicon(request, aDay))
    .get('/robots.txt', ({ request }) => robots(request, aDay))
}

/** Gives the function that answers with a file, which is compressed once. */
function servable({ content, type }: Asset): (request: Request, cacheControl: string) => Response {
  const made = compressible(content)
  return (request, cacheControl) =>
    respondCompressed(made, request, {
      headers: { ...assetHeaders, 'Content-Type': type, 'Cache-Control': cacheControl },
    })
}

function read(source: string): string {
  return readFileSync(fileURLToPath(new URL(source, import.meta.url)), 'utf8')
}

function typeScript(source: string): string {
  return new Bun.Transpiler({ loader: 'ts' }).transformSync(read(source))
}
