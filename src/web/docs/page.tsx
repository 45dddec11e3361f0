import { Html } from '@elysiajs/html'
import { Elysia } from 'elysia'
import type { User } from '../../domain/account/user.ts'
import type { Pages } from '../../http/pages.ts'
import { json, page, preparedPage } from '../../http/respond.ts'
import { DocsPage } from '../../views/docs/page.tsx'
import type { Site } from '../../views/page/site.ts'
import { exampleBadgeAddress } from '../assets/files.ts'
import { openApi } from './openapi/document.ts'

type Options = { site: Site; pages: Pages; ratePerMinute: number }

/** GET /docs for people, GET /openapi.json for programs. */
export function docs({ site, pages, ratePerMinute }: Options) {
  const description = openApi(site.baseUrl, ratePerMinute)
  const docsFor = (viewer: User | null) => (
    <DocsPage site={site} viewer={viewer} perMinute={ratePerMinute} picture={exampleBadgeAddress} />
  )
  const anonymous = preparedPage(docsFor(null))
  return new Elysia({ name: 'docs' })
    .get('/openapi.json', () => json(200, description))
    .use(pages)
    .get('/docs', ({ request, viewer }) => {
      if (viewer === null) return anonymous(request)
      return page(docsFor(viewer), { isPrivate: true, request })
    })
}
