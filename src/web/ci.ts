import { Elysia } from 'elysia'
import announce from '../../ci/announce.sh' with { type: 'text' }
import gitlab from '../../ci/gitlab.yml' with { type: 'text' }
import history from '../../ci/history.sh' with { type: 'text' }
import { textHeaders } from '../http/headers.ts'
import { taggedResponder } from '../http/responses.ts'

type Server = { readonly baseUrl: string; readonly audience: string }

/** GET /ci/announce.sh, /ci/gitlab.yml and /ci/history.sh: files with the address of this server filled in. */
export function ci(server: Server) {
  const served = (text: string, type: string) =>
    taggedResponder(filledIn(text, server), {
      headers: { ...textHeaders, 'Content-Type': `${type}; charset=utf-8`, 'Cache-Control': 'no-cache' },
    })
  const script = served(announce, 'text/x-shellscript')
  const template = served(gitlab, 'application/yaml')
  const importer = served(history, 'text/x-shellscript')

  return new Elysia({ name: 'ci' })
    .get('/ci/announce.sh', ({ request }) => script(request))
    .get('/ci/gitlab.yml', ({ request }) => template(request))
    .get('/ci/history.sh', ({ request }) => importer(request))
}

/** The SHA-256 of the script as this server sends it, in hexadecimal. */
export function scriptSha256(server: Server): string {
  return new Bun.CryptoHasher('sha256').update(filledIn(announce, server)).digest('hex')
}

function filledIn(text: string, { baseUrl, audience }: Server): string {
  return text.replaceAll('@SHIPFEED_URL@', baseUrl).replaceAll('@SHIPFEED_AUDIENCE@', audience)
}
