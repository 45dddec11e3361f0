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

type Asset = { readonly bytes: Uint8Array<ArrayBuffer>; readonly type: string; readonly address: string }

const css = hashed('site', 'css', '../../static/site.css')
const htmx = hashed('htmx', 'js', import.meta.resolve('htmx.org/dist/htmx.min.js'))
const favicon = named('favicon', 'svg', '../../static/favicon.svg')
const robots = named('robots', 'txt', '../../static/robots.txt')

const immutable: ReadonlyMap<string, Asset> = new Map([css, htmx].map((asset) => [asset.address, asset]))

/** The addresses for the pages. A hash of the content is in them, so that a copy is never out of date. */
export const assetAddresses: Assets = { css: css.address, htmx: htmx.address, favicon: favicon.address }

/** The static files: few and small, so they are read once at start. */
export function assets() {
  return new Elysia({ name: 'assets' })
    .get('/assets/*', ({ path }) => {
      const asset = immutable.get(path)
      if (asset === undefined) throw new Problem('not_found', 'No file has this address.')
      return serve(asset, forEver)
    })
    .get(favicon.address, () => serve(favicon, aDay))
    .get(robots.address, () => serve(robots, aDay))
}

function serve({ bytes, type }: Asset, cacheControl: string): Response {
  return new Response(bytes, {
    headers: { ...assetHeaders, 'Content-Type': type, 'Cache-Control': cacheControl },
  })
}

function hashed(name: string, extension: keyof typeof types, source: string): Asset {
  const bytes = read(source)
  const hash = Bun.hash(bytes).toString(36)
  return { bytes, type: types[extension], address: `/assets/${name}.${hash}.${extension}` }
}

function named(name: string, extension: keyof typeof types, source: string): Asset {
  return { bytes: read(source), type: types[extension], address: `/${name}.${extension}` }
}

function read(source: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(readFileSync(fileURLToPath(new URL(source, import.meta.url))))
}
