import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Elysia } from 'elysia'
import type { Assets } from '../views/site.ts'
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
  'age.js': { content: typeScript('../domain/age.ts'), type: types.js },
  'calendar.js': { content: typeScript('../views/calendar.ts'), type: types.js },
  'htmx.js': { content: read(import.meta.resolve('htmx.org/dist/htmx.min.js')), type: types.js },
  'hx-sse.js': { content: read(import.meta.resolve('htmx.org/dist/ext/hx-sse.min.js')), type: types.js },
}

/** One folder for all, named by their content: a copy is never out of date, and modules find each other. */
const folder = `/assets/${Bun.hash(JSON.stringify(files)).toString(36)}`

const favicon = { content: read('../../static/favicon.svg'), type: types.svg }
const robots = { content: read('../../static/robots.txt'), type: types.txt }

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
    .get('/assets/*', ({ path }) => {
      const name = path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : ''
      const asset = Object.hasOwn(files, name) ? files[name] : undefined
      if (asset === undefined) throw new Problem('not_found', 'No file has this address.')
      return serve(asset, forEver)
    })
    .get('/favicon.svg', () => serve(favicon, aDay))
    .get('/robots.txt', () => serve(robots, aDay))
}

function serve({ content, type }: Asset, cacheControl: string): Response {
  return new Response(content, {
    headers: { ...assetHeaders, 'Content-Type': type, 'Cache-Control': cacheControl },
  })
}

function read(source: string): string {
  return readFileSync(fileURLToPath(new URL(source, import.meta.url)), 'utf8')
}

function typeScript(source: string): string {
  return new Bun.Transpiler({ loader: 'ts' }).transformSync(read(source))
}
