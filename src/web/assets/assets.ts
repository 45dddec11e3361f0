import { Elysia } from 'elysia'
import { basePathOf } from '../../domain/base-path.ts'
import { assetHeaders } from '../../http/headers.ts'
import { Problem } from '../../http/problem.ts'
import { type Responder, textResponder } from '../../http/responses.ts'
import type { Site } from '../../views/page/site.ts'
import { type Asset, assetsByAddress, favicon, icon, robotsUnder } from './files.ts'

const forEver = 'public, max-age=31536000, immutable'
const aDay = 'public, max-age=86400'

/** GET /assets/*, /robots.txt and the icons that browsers and phones request by themselves. */
export function assets({ baseUrl, membersOnly }: Pick<Site, 'baseUrl' | 'membersOnly'>) {
  const byAddress = new Map([...assetsByAddress].map(([path, asset]) => [path, servable(asset, forEver)]))
  const serveFavicon = servable(favicon, aDay)
  const serveRobots = servable(robotsUnder(basePathOf(baseUrl), { membersOnly }), aDay)
  return new Elysia({ name: 'assets' })
    .get('/assets/*', ({ path, request }) => {
      const serve = byAddress.get(path)
      if (serve === undefined) throw new Problem('not_found', 'No file has this address.')
      return serve(request)
    })
    .get('/favicon.svg', ({ request }) => serveFavicon(request))
    .get('/favicon.ico', serveIcon)
    .get('/apple-touch-icon.png', serveIcon)
    .get('/robots.txt', ({ request }) => serveRobots(request))
}

function serveIcon(): Response {
  return new Response(icon, {
    headers: { ...assetHeaders, 'Content-Type': 'image/png', 'Cache-Control': aDay },
  })
}

function servable({ content, type }: Asset, cacheControl: string): Responder {
  const headers = { ...assetHeaders, 'Content-Type': type, 'Cache-Control': cacheControl }
  return textResponder(content, { headers }, 'best')
}
