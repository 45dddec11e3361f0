import { Html } from '@elysiajs/html'
import { Elysia } from 'elysia'
import { DocsPage } from '../views/docs.tsx'
import type { Site } from '../views/site.ts'
import { openApi } from './openapi.ts'
import { json, page } from './respond.ts'
import { type Sessions, session } from './session.ts'

/** GET /docs for people, GET /openapi.json for programs. */
export function docs({ site, sessions }: { site: Site; sessions: Sessions }) {
  const description = openApi(site.baseUrl)
  return new Elysia({ name: 'docs' })
    .get('/openapi.json', () => json(200, description))
    .use(session(sessions))
    .get('/docs', ({ viewer }) =>
      page(<DocsPage site={site} viewer={viewer} />, { isPrivate: viewer !== null }),
    )
}
