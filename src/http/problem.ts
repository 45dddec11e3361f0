import { Elysia } from 'elysia'
import { maxAuthorityLength, type Reasons } from '../domain/field-parsing.ts'
import type { ProblemCode } from '../domain/problems.ts'
import { problemBody, problems } from '../domain/problems.ts'
import { json } from './responses.ts'

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

/** Ends a request that needs a signed-in user. The visitor has to sign in, or gets 403 if a proxy signs users in. */
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

/**
 * The plugin that refuses a Host header that is too long to be valid. It does so before anything reads the URL of the
 * request, because the time that Bun takes to parse the URL is quadratic in the length of the host.
 */
export function boundedHost() {
  const message = `The Host header has more than ${maxAuthorityLength} characters.`
  const tooLong = () => json(problems.bad_request.status, problemBody('bad_request', message))
  return new Elysia({ name: 'bounded-host' }).wrap((handle, { headers }) =>
    (headers.get('host')?.length ?? 0) > maxAuthorityLength ? tooLong : handle,
  )
}
