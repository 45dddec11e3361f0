import { Elysia } from 'elysia'
import type { Visitor } from '../data/account/sessions.ts'
import { sessionCookie } from './cookies.ts'
import type { SecurityLog } from './log/security-log.ts'
import { Problem, SignInRequired } from './problem.ts'
import { isSameOrigin } from './same-origin.ts'

type Options = {
  readonly baseUrl: string
  readonly readSession: (secret: string) => Promise<Visitor | null>
  readonly tell: SecurityLog
}

export type Pages = ReturnType<typeof browserPages>

/**
 * What every page and form of a browser needs: forms are accepted from our own pages only, and handlers get
 * `viewer`, who is signed in, and `sessionHash`, the hash of that session; null if nobody is.
 */
export function browserPages({ baseUrl, readSession, tell }: Options) {
  const cookie = sessionCookie(baseUrl)

  return (
    new Elysia({ name: 'pages' })
      // Handlers read the body themselves. (In Elysia 1.4, `guard` with `parse: 'none'` throws.)
      .onParse({ as: 'scoped' }, () => null)
      .onBeforeHandle({ as: 'scoped' }, ({ request, server }) => {
        if (request.method === 'GET' || request.method === 'HEAD' || isSameOrigin(request, baseUrl)) return
        tell('form_refused', { request, server })
        throw new Problem(
          'forbidden',
          'This form did not come from our own pages. Open the page again and send it there.',
        )
      })
      .resolve({ as: 'scoped' }, async ({ request }) => {
        const secret = cookie.read(request)
        const visitor = secret === null ? null : await readSession(secret)
        return visitor ?? { viewer: null, sessionHash: null, hasJustSignedIn: false }
      })
  )
}

/** Pages for people who are signed in; everybody else is sent to sign in. */
export function owner(pages: Pages) {
  return new Elysia({ name: 'owner' })
    .use(pages)
    .resolve({ as: 'scoped' }, ({ viewer, sessionHash }) => {
      if (viewer === null || sessionHash === null) throw new SignInRequired()
      return { viewer, sessionHash }
    })
    .as('scoped')
}
