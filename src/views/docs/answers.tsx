import { Html } from '@elysiajs/html'
import { boundedOf, type Token, tokenRefusal } from '../../domain/account/token-rights.ts'
import {
  announceProblems,
  keyReusedAdvice,
  type ProblemCode,
  problemBody,
  problemHeaders,
  problems,
  rateLimitAdvice,
  tooLargeAdvice,
} from '../../domain/problems.ts'
import { Snippet } from '../parts/snippet.tsx'

export function Answer({ status, reason, when, headers, body }: Example): JSX.Element {
  return (
    <section class="stack">
      <h3>
        {status} <span safe>{reason}</span>
      </h3>
      <p safe>{when}</p>
      {headers.length > 0 && <Headers of={headers} />}
      <Snippet code={indented(body)} />
    </section>
  )
}

function Headers({ of: headers }: { of: Example['headers'] }): JSX.Element {
  return (
    <dl class="facts">
      {headers.map(([name, meaning]) => (
        <>
          <dt>
            <code safe>{name}</code>
          </dt>
          <dd safe>{meaning}</dd>
        </>
      ))}
    </dl>
  )
}

/** Indents an object, but keeps small objects in it on one line. */
function indented(body: object): string {
  const lines = Object.entries(body).map(([name, value]) => `  "${name}": ${oneLine(value)}`)
  return `{\n${lines.join(',\n')}\n}`
}

function oneLine(value: unknown): string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return JSON.stringify(value)
  const members = Object.entries(value).map(([name, member]) => `"${name}": ${oneLine(member)}`)
  return `{ ${members.join(', ')} }`
}

type Example = {
  readonly status: number
  readonly reason: string
  readonly when: string
  readonly headers: readonly (readonly [name: string, meaning: string])[]
  readonly body: object
}

export const recorded = {
  status: 201,
  reason: 'Created',
  when: 'Recorded; also the answer to a retry of a recorded announcement.',
  headers: [['Location', 'the page of the deployment, as in the body']],
  body: {
    id: 412,
    message: '✨ Saved searches',
    url: 'https://github.com/ada/engine/pull/412',
    category: 'feature',
    environment: 'production',
    version: 'v2.4.0',
    commit: '9f1c2ab',
    deployed_at: '2026-03-12T14:03:22Z',
    user: { id: 7, name: 'Ada Lovelace' },
    username: 'ada',
    status: 'success',
    page: 'https://shipfeed.example/ada/412',
  },
} satisfies Example

type Limits = { readonly perMinute: number; readonly maxBodyBytes: number }

/** An example of each problem of POST /api. A `perMinute` of 0 means no limit. */
export function problemExamples({ perMinute, maxBodyBytes }: Limits): Example[] {
  const particular: Partial<Record<ProblemCode, string>> = {
    forbidden: tokenRefusal(boundToken, 'announce', boundedOf({ url: null })) ?? '',
    idempotency_key_reused: keyReusedAdvice('https://shipfeed.example/ada/412'),
    payload_too_large: tooLargeAdvice(maxBodyBytes),
    rate_limited: rateLimitAdvice(perMinute, 12),
  }
  return announceProblems(perMinute).map((code) => {
    const { status, reason, when, advice, headers = [] } = problems[code]
    const details = code === 'validation_error' ? invalidFields : undefined
    return {
      status,
      reason,
      when,
      headers: headers.map((name) => [name, problemHeaders[name]]),
      body: problemBody(code, particular[code] ?? advice, details),
    }
  })
}

const boundToken: Token = {
  name: 'engine on GitHub',
  may: ['announce'],
  targets: ['github.com/ada/engine'],
  environments: [],
}

const invalidFields = { message: ["can't be blank"], url: ['must start with http:// or https://'] }

/** The headers that say when to come back. A `perMinute` of 0 means no limit. */
export function RateHeaders({ perMinute }: { perMinute: number }): JSX.Element {
  const ofTheMinute = perMinute > 0 ? (['RateLimit-Policy', 'RateLimit'] as const) : []
  return (
    <>
      <p>
        {perMinute > 0
          ? 'A success and a 429 say how much of the minute’s quota is left; a 503 says when to come back:'
          : 'A 503 says when to come back:'}
      </p>
      <Headers of={[...ofTheMinute, 'Retry-After' as const].map((name) => [name, problemHeaders[name]])} />
    </>
  )
}
