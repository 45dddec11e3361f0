import { Elysia } from 'elysia'
import { Problem } from './problem.ts'

/** Listed one by one, because ALL would lose to `/:username`; it stands for every other, such as TRACE. */
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'ALL'] as const

/**
 * Answers 405 with Allow for the methods that an address does not have. Without it GET /api would be the
 * profile of a user called "api". HEAD goes wherever GET goes.
 */
export function methodNotAllowed(routes: readonly { method: string; path: string }[]) {
  const app = new Elysia({ name: 'method-not-allowed' })
  for (const path of new Set(routes.map((route) => route.path))) {
    const allowed = routes.filter((route) => route.path === path).map((route) => route.method)
    const allow = allowed.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ')
    for (const method of methods.filter((method) => !allowed.includes(method))) {
      app.route(
        method,
        path,
        () => {
          throw new Problem('method_not_allowed', `This address takes ${allow} only.`, {
            headers: { Allow: allow },
          })
        },
        { parse: 'none' },
      )
    }
  }
  return app
}
