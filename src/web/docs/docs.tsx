import { Html } from '@elysiajs/html'
import { Elysia } from 'elysia'
import announce from '../../../ci/announce.sh' with { type: 'text' }
import gitlab from '../../../ci/gitlab.yml' with { type: 'text' }
import type { User } from '../../domain/account/user.ts'
import { maxBodyBytes } from '../../http/body.ts'
import { pageHeaders, taggedJsonHeaders } from '../../http/headers.ts'
import { documentOf, page, taggedResponder } from '../../http/responses.ts'
import type { BadgePicture } from '../../views/docs/badges.tsx'
import { DocsPage } from '../../views/docs/docs-page.tsx'
import { type DocsText, sectionsWith } from '../../views/docs/docs-text.ts'
import type { Dependencies } from '../route-dependencies.ts'
import type { ApiDescription } from './openapi/description.ts'
import { openApi } from './openapi/document.ts'
import { filledIn, served } from './script.ts'

type Options = Dependencies & {
  readonly picture: BadgePicture
  /** What capabilities add to the page, and to the document. */
  readonly added: readonly DocsText[]
  readonly described: readonly ApiDescription[]
}

/** GET /docs, GET /openapi.json, and GET /ci/…: files with the address of this server filled in. */
export function docs({ site, pages, ratePerMinute: perMinute, picture, added, described }: Options) {
  const description = taggedResponder(JSON.stringify(openApi({ ...site, perMinute, added: described })), {
    headers: taggedJsonHeaders,
  })
  const script = filledIn(announce, site)
  const serveScript = served(script, 'text/x-shellscript')
  const serveTemplate = served(filledIn(gitlab, site), 'application/yaml')
  const scriptSha256 = new Bun.CryptoHasher('sha256').update(script).digest('hex')
  const sections = sectionsWith(added)
  const docsFor = (viewer: User | null) => (
    <DocsPage {...{ site, viewer, maxBodyBytes, perMinute, scriptSha256, picture, added, sections }} />
  )
  const anonymous = taggedResponder(documentOf(docsFor(null)), { headers: pageHeaders })

  return new Elysia({ name: 'docs' })
    .get('/openapi.json', ({ request }) => description(request))
    .get('/ci/announce.sh', ({ request }) => serveScript(request))
    .get('/ci/gitlab.yml', ({ request }) => serveTemplate(request))
    .use(pages)
    .get('/docs', ({ request, visitor }) => {
      if (visitor === null) return anonymous(request)
      return page(docsFor(visitor.user), { isPrivate: true, request })
    })
}
