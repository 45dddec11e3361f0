import { Elysia } from 'elysia'
import type { ProblemCode } from '../domain/problems.ts'
import { problems } from '../domain/problems.ts'
import type { Reasons } from '../domain/text-fields.ts'

type Options = {
  readonly headers?: Readonly<Record<string, string>>
  /** The reasons by field, for a validation error. */
  readonly details?: Reasons
}

/**
 * Ends a request with an error. The message says what to do and is safe to show to anyone; it defaults to the
 * advice of the code.
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

/** Ends a request by sending the visitor to sign in first. */
export class SignInRequired extends Error {}

/** Listed individually, because ALL would lose to `/:username`. ALL covers the others, such as TRACE. */
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'ALL'] as const

/**
 * Answers 405 with Allow for the methods that an address does not have. Without these routes, GET /api would
 * be the profile of a user called "api". HEAD works wherever GET does.
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
