import { Elysia } from 'elysia'
import { basePathOf } from '../domain/base-path.ts'

/** Puts the path of the public address before the path that an answer sends a browser to. */
export function redirectsUnderBasePath({ baseUrl }: { baseUrl: string }) {
  const path = basePathOf(baseUrl)
  const app = new Elysia({ name: 'base-path' })
  if (path === '') return app
  return app.mapResponse({ as: 'global' }, ({ response }) => {
    if (!(response instanceof Response)) return
    for (const name of ['Location', 'HX-Redirect']) {
      const to = response.headers.get(name)
      if (to?.startsWith('/')) response.headers.set(name, path + to)
    }
  })
}
