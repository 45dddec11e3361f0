import { Html } from '@elysiajs/html'
import { Elysia } from 'elysia'
import type { User } from '../../domain/account/user.ts'
import { maxBodyBytes } from '../../http/body.ts'
import { anyOrigin, jsonHeaders } from '../../http/headers.ts'
import { page, pageResponder, taggedResponder } from '../../http/responses.ts'
import type { BadgePicture } from '../../views/docs/badges.tsx'
import { DocsPage } from '../../views/docs/docs-page.tsx'
import type { Parts } from '../parts.ts'
import { openApi } from './openapi/document.ts'

type Options = Parts & { readonly scriptSha256: string; readonly picture: BadgePicture }

/** GET /docs for people, GET /openapi.json for programs. */
export function docs({ site, pages, ratePerMinute: perMinute, scriptSha256, picture }: Options) {
  const description = taggedResponder(JSON.stringify(openApi({ ...site, perMinute })), {
    headers: { ...jsonHeaders, ...anyOrigin, 'Cache-Control': 'no-cache' },
  })
  const docsFor = (viewer: User | null) => (
    <DocsPage {...{ site, viewer, maxBodyBytes, perMinute, scriptSha256, picture }} />
  )
  const anonymous = pageResponder(docsFor(null))
  return new Elysia({ name: 'docs' })
    .get('/openapi.json', ({ request }) => description(request))
    .use(pages)
    .get('/docs', ({ request, visitor }) => {
      if (visitor === null) return anonymous(request)
      return page(docsFor(visitor.user), { isPrivate: true, request })
    })
}
