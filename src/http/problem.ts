import { type ProblemCode, problems } from '../domain/problem.ts'
import type { Reasons } from '../domain/reasons.ts'

type Options = {
  readonly headers?: Readonly<Record<string, string>>
  /** What is wrong with each field, for a validation error. */
  readonly details?: Reasons
}

/**
 * Ends a request with an error. The message says what to do, in words safe to show anybody; it defaults to
 * the advice of the code.
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

  get title(): string {
    return problems[this.code].title
  }
}

/** Sends somebody to sign in first. */
export class SignInRequired extends Error {}
