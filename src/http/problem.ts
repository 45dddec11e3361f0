import { Elysia } from 'elysia'
import type { Reasons } from '../domain/field-parsing.ts'
import type { ProblemCode } from '../domain/problems.ts'
import { problems } from '../domain/problems.ts'

type Options = {
  readonly headers?: Readonly<Record<string, string>>
  /** The reasons for each field, if this is a validation error. */
  readonly details?: Reasons
}

/**
 * Ends a request with an error. The message says what to do, and is safe to show to anyone. The default message is the
 * advice for the code (domain/problems.ts).
 */
export class Problem extends Error {
  readonly code: ProblemCode
  readonly headers: Readonly<Record<string, string>>
  readonly details: Reasons | undefined

  constructor(code: ProblemCode, message: string = problems[code].advice, options: Options = {}) {
    super(message)
    this.code = code
    this.headers = options.headers ?? {}
    this.details = options.details
  }

  get status(): number {
    return problems[this.code].status
  }
}

/** Ends a request that needs a signed-in user. The visitor is sent to the sign-in page. */
export class SignInRequired extends Error {}

/**
 * The methods that get routes of their own. ALL covers the others, such as TRACE. ALL alone would not be enough,
 * because the router prefers GET `/:username` to ALL `/api`.
 */
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'ALL'] as const

/**
 * For each method that an address does not accept, adds a route that answers 405 with an Allow header. Without these
 * routes, GET /api would be the profile of a user called "api". HEAD works wherever GET does.
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
          throw new Problem('method_not_allowed', `This address accepts only ${allow}.`, {
            headers: { Allow: allow },
          })
        },
        { parse: 'none' },
      )
    }
  }
  return app
}
