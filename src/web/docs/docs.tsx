import { Html } from '@elysiajs/html'
import { Elysia } from 'elysia'
import announce from '../../../ci/announce.sh' with { type: 'text' }
import gitlab from '../../../ci/gitlab.yml' with { type: 'text' }
import history from '../../../ci/history.sh' with { type: 'text' }
import type { User } from '../../domain/account/user.ts'
import { maxBodyBytes } from '../../http/body.ts'
import { anyOrigin, jsonHeaders, pageHeaders, textHeaders } from '../../http/headers.ts'
import { documentOf, page, type Responder, taggedResponder } from '../../http/responses.ts'
import type { BadgePicture } from '../../views/docs/badges.tsx'
import { DocsPage } from '../../views/docs/docs-page.tsx'
import type { Dependencies } from '../route-dependencies.ts'
import { openApi } from './openapi/document.ts'

type Options = Dependencies & { readonly picture: BadgePicture }

/** GET /docs, GET /openapi.json, and GET /ci/…: files with the address of this server filled in. */
export function docs({ site, pages, ratePerMinute: perMinute, picture }: Options) {
  const description = taggedResponder(JSON.stringify(openApi({ ...site, perMinute })), {
    headers: { ...jsonHeaders, ...anyOrigin, 'Cache-Control': 'no-cache' },
  })
  const script = filledIn(announce)
  const serveScript = served(script, 'text/x-shellscript')
  const serveTemplate = served(filledIn(gitlab), 'application/yaml')
  const serveImporter = served(filledIn(history), 'text/x-shellscript')
  const scriptSha256 = new Bun.CryptoHasher('sha256').update(script).digest('hex')
  const docsFor = (viewer: User | null) => (
    <DocsPage {...{ site, viewer, maxBodyBytes, perMinute, scriptSha256, picture }} />
  )
  const anonymous = taggedResponder(documentOf(docsFor(null)), { headers: pageHeaders })

  return new Elysia({ name: 'docs' })
    .get('/openapi.json', ({ request }) => description(request))
    .get('/ci/announce.sh', ({ request }) => serveScript(request))
    .get('/ci/gitlab.yml', ({ request }) => serveTemplate(request))
    .get('/ci/history.sh', ({ request }) => serveImporter(request))
    .use(pages)
    .get('/docs', ({ request, visitor }) => {
      if (visitor === null) return anonymous(request)
      return page(docsFor(visitor.user), { isPrivate: true, request })
    })

  function filledIn(text: string): string {
    return text.replaceAll('@SHIPFEED_URL@', site.baseUrl).replaceAll('@SHIPFEED_AUDIENCE@', site.audience)
  }
}

function served(text: string, type: string): Responder {
  return taggedResponder(text, {
    headers: { ...textHeaders, 'Content-Type': `${type}; charset=utf-8`, 'Cache-Control': 'no-cache' },
  })
}
