import { bearer } from '@elysiajs/bearer'
import { Elysia } from 'elysia'
import { hashSecret } from '../data/account/tokens.ts'
import { isToken } from '../domain/account/token.ts'
import { Problem } from './problem.ts'

const credentials = /^bearer +([\x21-\x7e]+) *$/i

/** The bearer token in an Authorization header; undefined if there is none. */
export function bearerIn(authorization: string | null | undefined): string | undefined {
  return credentials.exec(authorization ?? '')?.[1]
}

/**
 * Gives handlers `tokenHash`, the hash of the token in the Authorization header. Throws `unauthorized` if the token is
 * missing or malformed, before anything else in the request is read.
 */
export function bearerToken() {
  return (
    new Elysia({ name: 'bearer-token' })
      // Elysia's bearer plugin needs the spelling "Bearer", but accepts any scheme that begins with it, and even a
      // query parameter. So the header is checked and rewritten for it, and the parameter gets a name that no one can
      // guess.
      .derive({ as: 'scoped' }, ({ headers }) => {
        const token = bearerIn(headers.authorization)
        headers.authorization = token === undefined ? undefined : `Bearer ${token}`
        return {}
      })
      .use(bearer({ extract: { header: 'Bearer', query: crypto.randomUUID() } }))
      .resolve({ as: 'scoped' }, ({ bearer }) => {
        if (bearer === undefined || !isToken(bearer)) throw unauthorized()
        return { tokenHash: hashSecret(bearer) }
      })
  )
}

/** For a missing or invalid token. The answer leaves the message out; only the token owner's settings show it. */
export function unauthorized(message?: string): Problem {
  return new Problem('unauthorized', message, { 'WWW-Authenticate': 'Bearer' })
}
