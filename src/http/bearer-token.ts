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
 * The plugin that gives handlers `tokenHash`, the hash of the token in the Authorization header. Throws
 * `unauthorized`, before anything else is read, if the token is missing or malformed.
 */
export function bearerToken() {
  return (
    new Elysia({ name: 'bearer-token' })
      // The framework's own plugin reads the header. On its own, it accepts any scheme that begins with
      // "Bearer", case-sensitively, and even a query parameter. So the header is normalised to the spelling
      // that the plugin expects, and the parameter gets a name that cannot be guessed.
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

/** The problem for an invalid token. The answer omits the message, which only the token's owner sees. */
export function unauthorized(message?: string): Problem {
  return new Problem('unauthorized', message, { headers: { 'WWW-Authenticate': 'Bearer' } })
}
