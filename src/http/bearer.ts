import { bearer } from '@elysiajs/bearer'
import { Elysia } from 'elysia'

const credentials = /^bearer +([\x21-\x7e]+) *$/i

/**
 * Gives handlers `bearer`, the token of the Authorization header and of nothing else. The plugin alone
 * takes a query parameter too, any word that begins with "Bearer", and no other case of it: so the header
 * is put into the one spelling that it reads, and the parameter gets a name that nobody can know.
 */
export function bearerToken() {
  return new Elysia({ name: 'bearer-token' })
    .derive({ as: 'global' }, ({ headers }) => {
      const token = credentials.exec(headers.authorization ?? '')?.[1]
      headers.authorization = token === undefined ? undefined : `Bearer ${token}`
      return {}
    })
    .use(bearer({ extract: { header: 'Bearer', query: crypto.randomUUID() } }))
}
