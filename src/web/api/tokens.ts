import { Elysia } from 'elysia'
import { findToken } from '../../data/account/tokens.ts'
import { timestampOf } from '../../domain/time.ts'
import { bearerToken, unauthorized } from '../../http/bearer-token.ts'
import { json } from '../../http/responses.ts'
import type { Dependencies } from '../route-dependencies.ts'

/** GET /api/token: what the token of the call may do, so that a pipeline can try it. Does not count as a use. */
export function ownToken({ db }: Dependencies) {
  return new Elysia({ name: 'own-token' }).use(bearerToken()).get('/api/token', async ({ tokenHash }) => {
    const token = await findToken(db, tokenHash)
    if (token === null) throw unauthorized()
    const { name, may, targets, environments, expiresAt } = token
    const expires_at = expiresAt === null ? null : timestampOf(expiresAt)
    return json(200, { name, may, targets, environments, expires_at })
  })
}
