import { Elysia } from 'elysia'
import { endPublisherToken } from '../../data/account/exchange.ts'
import type { Db } from '../../database/db.ts'
import { bearerToken, unauthorized } from '../../http/bearer-token.ts'
import { jsonHeaders } from '../../http/headers.ts'
import type { IdentityTokens } from '../../outbound/identity-token.ts'

type Options = { readonly db: Db; readonly identityTokens: IdentityTokens | null }

/** DELETE /api/oidc: ends the token of a pipeline before its time. Without issuers there is no such address. */
export function revokeToken({ db, identityTokens }: Options) {
  const app = new Elysia({ name: 'revoke-token' })
  if (identityTokens === null) return app
  const { 'Content-Type': _, ...headers } = jsonHeaders

  return app.use(bearerToken()).delete(
    '/api/oidc',
    async ({ tokenHash }) => {
      if (!(await endPublisherToken(db, tokenHash))) throw unauthorized()
      return new Response(null, { status: 204, headers })
    },
    { parse: 'none' },
  )
}
