import { Elysia } from 'elysia'
import { maxAuthorityLength, type Reasons } from '../domain/field-parsing.ts'
import { type ProblemCode, problemBody, problems } from '../domain/problems.ts'
import { json } from './responses.ts'

/** Ends a request with an error. The message says what is wrong or what to do; answers show it, except a 401. */
export class Problem extends Error {
  constructor(
    readonly code: ProblemCode,
    message: string = problems[code].advice,
    readonly headers: Readonly<Record<string, string>> = {},
    /** The reasons for each field, if this is a validation error. */
    readonly details?: Reasons,
  ) {
    super(message)
  }

  get status(): number {
    return problems[this.code].status
  }
}

/** The problem for a body with invalid fields, with the reasons for each field. */
export function invalidFields(details: Reasons, message?: string): Problem {
  return new Problem('validation_error', message, {}, details)
}

/** Ends a request that needs a user: the visitor has to sign in, or gets 403 if a proxy signs users in. */
export class SignInRequired extends Error {}

/** GET and others are named because the router prefers GET `/:username` to ALL `/api`. ALL is any other method. */
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'ALL'] as const

/**
 * Answers 405 to each method that an address does not accept. Without these routes, GET /api would be the profile of a
 * user called "api". HEAD works wherever GET does.
 */
export function methodNotAllowed(routes: readonly { method: string; path: string }[]) {
  const app = new Elysia({ name: 'method-not-allowed' })
  for (const [path, ofPath] of Map.groupBy(routes, (route) => route.path)) {
    const allowed = ofPath.map((route) => route.method)
    const Allow = allowed.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ')
    const refuse = () => {
      throw new Problem('method_not_allowed', `This address accepts only ${Allow}.`, { Allow })
    }
    for (const method of methods.filter((method) => !allowed.includes(method))) {
      app.route(method, path, refuse, { parse: 'none' })
    }
  }
  return app
}

/**
 * Refuses a Host header that is too long to be valid, before anything reads the URL of the request: the time that
 * Bun takes to parse it is quadratic in the length of the host.
 */
export function boundedHost() {
  const message = `The Host header has more than ${maxAuthorityLength} characters.`
  const tooLong = () => json(problems.bad_request.status, problemBody('bad_request', message))
  return new Elysia({ name: 'bounded-host' }).wrap((handle, { headers }) =>
    (headers.get('host')?.length ?? 0) > maxAuthorityLength ? tooLong : handle,
  )
}
