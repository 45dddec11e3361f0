import { Elysia } from 'elysia'
import type { ProblemCode } from '../../domain/problem.ts'

/** A request and how it was answered. Of a stream, it is how long its reader waited for the beginning. */
export type Answered = {
  readonly request: Request
  /** The pattern of its address, `/:username`; empty if no route has it. */
  readonly route: string
  readonly status: number
  /** The code of the problem that it ended with, if any. */
  readonly code?: ProblemCode
  readonly seconds: number
}

/** Hears of every answer. */
export type OnAnswered = (answered: Answered) => void

/** One for all of these; undefined if there are none, so that nothing is paid for them. */
export function toAll(listeners: readonly OnAnswered[]): OnAnswered | undefined {
  if (listeners.length < 2) return listeners[0]
  return (answered) => {
    for (const listener of listeners) listener(answered)
  }
}

/** Gives the seconds since `startedAt`, an instant of performance.now(); 0 where no route was found. */
export function secondsSince(startedAt: number): number {
  return startedAt === 0 ? 0 : (performance.now() - startedAt) / 1_000
}

/**
 * Notes when each request began, as `startedAt`, and tells of every answer that is no error; those of errors
 * are told by web/problems.tsx.
 */
export function answered(onAnswered: OnAnswered | undefined) {
  const app = new Elysia({ name: 'answered' })
    .decorate('startedAt', 0)
    .onTransform({ as: 'global' }, (context) => {
      context.startedAt = performance.now()
    })
  if (onAnswered === undefined) return app
  return app.onAfterHandle({ as: 'global' }, ({ request, route, startedAt, responseValue }) => {
    const status = responseValue instanceof Response ? responseValue.status : 200
    onAnswered({ request, route, status, seconds: secondsSince(startedAt) })
  })
}
