import { Html } from '@elysiajs/html'
import { Snippet } from '../parts/snippet.tsx'
import { answers, type Example } from './examples.ts'

const statusNames: Readonly<Record<number, string>> = {
  201: 'Created',
  400: 'Bad Request',
  401: 'Unauthorized',
  405: 'Method Not Allowed',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Content',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
}

const examples: readonly Example[] = Object.values(answers)

export function DocsAnswers(): JSX.Element {
  return (
    <>
      <section class="stack" id="success">
        <h2>The answer</h2>
        {examples.filter(({ status }) => status < 400).map(Answer)}
        <p>
          <code>deployed_at</code> is our clock, in UTC. <code>url</code> is <code>null</code> when it was
          omitted or empty, and <code>category</code> when nothing tells it.
        </p>
      </section>
      <section class="stack" id="errors">
        <h2>Errors</h2>
        <p>
          Every one is JSON. <code>error</code> is a name for programs; <code>message</code> says what to do
          about it.
        </p>
        {examples.filter(({ status }) => status >= 400).map(Answer)}
      </section>
    </>
  )
}

function Answer({ status, when, headers, body }: Example): JSX.Element {
  return (
    <section class="stack">
      <h3>
        {status} <span safe>{statusNames[status] ?? ''}</span>
      </h3>
      <p safe>{when}</p>
      {headers !== undefined && (
        <p>
          <code safe>{headers}</code>
        </p>
      )}
      <Snippet code={indented(body)} />
    </section>
  )
}

/** Small objects stay on their line, which is how people write them. */
function indented(body: object): string {
  const lines = Object.entries(body).map(([name, value]) => `  "${name}": ${oneLine(value)}`)
  return `{\n${lines.join(',\n')}\n}`
}

function oneLine(value: unknown): string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return JSON.stringify(value)
  const members = Object.entries(value).map(([name, member]) => `"${name}": ${oneLine(member)}`)
  return `{ ${members.join(', ')} }`
}
