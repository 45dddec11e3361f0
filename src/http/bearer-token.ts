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
  return new Elysia({ name: 'bearer-token' }).resolve({ as: 'scoped' }, ({ headers }) => {
    const bearer = bearerIn(headers.authorization)
    if (bearer === undefined || !isToken(bearer)) throw unauthorized()
    return { tokenHash: hashSecret(bearer) }
  })
}

/** For a missing or invalid token. The answer leaves the message out; only the token owner's settings show it. */
export function unauthorized(message?: string): Problem {
  return new Problem('unauthorized', message, { 'WWW-Authenticate': 'Bearer' })
}
