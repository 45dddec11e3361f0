import { Html } from '@elysiajs/html'
import { Elysia } from 'elysia'
import type { User } from '../domain/user.ts'
import { DocsPage } from '../views/docs.tsx'
import type { Site } from '../views/site.ts'
import { exampleBadgeAddress } from './asset-files.ts'
import { maxBodyBytes } from './body.ts'
import { openApi } from './openapi.ts'
import { json, madePage, page } from './respond.ts'
import { type Sessions, session } from './session.ts'

type Options = { site: Site; sessions: Sessions; ratePerMinute: number }

/** GET /docs for people, GET /openapi.json for programs. */
export function docs({ site, sessions, ratePerMinute }: Options) {
  const description = openApi(site.baseUrl)
  const limits = { bodyBytes: maxBodyBytes, perMinute: ratePerMinute }
  const docsFor = (viewer: User | null) => (
    <DocsPage site={site} viewer={viewer} limits={limits} picture={exampleBadgeAddress} />
  )
  const anonymous = madePage(docsFor(null))
  return new Elysia({ name: 'docs' })
    .get('/openapi.json', () => json(200, description))
    .use(session(sessions))
    .get('/docs', ({ request, viewer }) => {
      if (viewer === null) return anonymous(request)
      return page(docsFor(viewer), { isPrivate: true, request })
    })
}
