import {
  announceProblems,
  problemBody,
  problemHeaders,
  problems,
  rateLimitAdvice,
} from '../../domain/problem.ts'

export type Example = {
  readonly status: number
  readonly reason: string
  readonly when: string
  /** Each header's name and value. */
  readonly headers: readonly (readonly [name: string, meaning: string])[]
  readonly body: object
}

/** The answer to a good announcement. */
export const recorded: Example = {
  status: 201,
  reason: 'Created',
  when: 'Recorded; also the answer to a retry of what was recorded.',
  headers: [['Location', 'the page of the deployment']],
  body: {
    id: 412,
    message: '✨ Saved searches',
    url: 'https://github.com/ada/engine/pull/412',
    category: 'feature',
    deployed_at: '2026-03-12T14:03:22Z',
    user: { id: 7, name: 'Ada Lovelace' },
    status: 'success',
  },
}

/** An example of each problem of POST /api, given the announcements allowed a minute (0: any number). */
export function problemExamples(perMinute: number): Example[] {
  return announceProblems(perMinute).map((code) => {
    const { status, reason, when, advice, headers = [] } = problems[code]
    const message = code === 'rate_limited' ? rateLimitAdvice(perMinute, 12) : advice
    const details = code === 'validation_error' ? invalidFields : undefined
    return {
      status,
      reason,
      when,
      headers: headers.map((name) => [name, problemHeaders[name]]),
      body: problemBody(code, message, details),
    }
  })
}

const invalidFields = { message: ["can't be blank"], url: ['must start with http:// or https://'] }
