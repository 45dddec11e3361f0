import { Elysia } from 'elysia'
import announce from '../../ci/announce.sh' with { type: 'text' }
import gitlab from '../../ci/gitlab.yml' with { type: 'text' }
import { prepareTagged } from '../http/conditional.ts'
import { textHeaders } from '../http/headers.ts'

/** GET /ci/announce.sh and /ci/gitlab.yml: what pipelines fetch, with the address of this server filled in. */
export function ci({ baseUrl, audience }: { baseUrl: string; audience: string }) {
  const served = (text: string, type: string) =>
    prepareTagged(text.replaceAll('@SHIPFEED_URL@', baseUrl).replaceAll('@SHIPFEED_AUDIENCE@', audience), {
      headers: { ...textHeaders, 'Content-Type': `${type}; charset=utf-8`, 'Cache-Control': 'no-cache' },
    })
  const script = served(announce, 'text/x-shellscript')
  const template = served(gitlab, 'application/yaml')

  return new Elysia({ name: 'ci' })
    .get('/ci/announce.sh', ({ request }) => script(request))
    .get('/ci/gitlab.yml', ({ request }) => template(request))
}
