import { Elysia } from 'elysia'
import type { ProblemCode } from '../../domain/problem.ts'
import type { Incoming } from './request-id.ts'

/** A request and how it was answered. Of a stream, it is how long its reader waited for the beginning. */
export type Answered = Incoming & {
  /** The pattern of its address, `/:username`; empty if no route has it. */
  readonly route: string
  readonly status: number
  /** The code of the problem that it ended with, if any. */
  readonly code?: ProblemCode
  readonly seconds: number
}

export type OnAnswered = (answered: Answered) => void

/** Gives every handler `startedAt`, an instant of performance.now(); 0 where no route was found. */
export function timed() {
  return new Elysia({ name: 'timed' }).decorate('startedAt', 0).onTransform({ as: 'global' }, (context) => {
    context.startedAt = performance.now()
  })
}

/** Calls these functions with every answer that is no error; web/problems.tsx does it with those. */
export function answered(listeners: readonly OnAnswered[]) {
  const app = new Elysia({ name: 'answered' }).use(timed())
  if (listeners.length === 0) return app
  return app.onAfterHandle({ as: 'global' }, ({ request, server, route, startedAt, responseValue }) => {
    const status = responseValue instanceof Response ? responseValue.status : 200
    const facts = { request, server, route, status, seconds: (performance.now() - startedAt) / 1_000 }
    for (const listener of listeners) listener(facts)
  })
}
