import { bearer } from '@elysiajs/bearer'
import { Elysia } from 'elysia'
import { hashSecret } from '../data/account/secret.ts'
import { isToken } from '../domain/account/token.ts'
import { Problem } from './problem.ts'

const credentials = /^bearer +([\x21-\x7e]+) *$/i

/**
 * Gives handlers `tokenHash`, the hash of the token in the Authorization header. Throws `unauthorized`,
 * before anything else is looked at, if there is none or it is not spelled like a token.
 */
export function bearerToken() {
  return (
    new Elysia({ name: 'bearer-token' })
      // The framework's own plugin reads the header, as in every Elysia service. By itself it would also take
      // any word that begins with "Bearer", only in that case, and a query parameter. So the header is put
      // into the one spelling that it reads, and the parameter gets a name that nobody can know.
      .derive({ as: 'scoped' }, ({ headers }) => {
        const token = credentials.exec(headers.authorization ?? '')?.[1]
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

/** The problem of a token that does not work. Only its owner reads the message: the answer leaves it out. */
export function unauthorized(message?: string): Problem {
  return new Problem('unauthorized', message, { headers: { 'WWW-Authenticate': 'Bearer' } })
}
