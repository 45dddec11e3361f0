import { Html } from '@elysiajs/html'
import { Snippet } from '../parts/snippet.tsx'
import { type Example, problemExamples, recorded } from './answer-examples.ts'

/** `perMinute` is how many announcements of a user are taken in a minute; 0 is any number. */
export function DocsAnswers({ perMinute }: { perMinute: number }): JSX.Element {
  return (
    <>
      <section class="stack" id="success">
        <h2>The answer</h2>
        <Answer {...recorded} />
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
        {problemExamples(perMinute).map(Answer)}
      </section>
    </>
  )
}

function Answer({ status, reason, when, headers, body }: Example): JSX.Element {
  return (
    <section class="stack">
      <h3>
        {status} <span safe>{reason}</span>
      </h3>
      <p safe>{when}</p>
      {headers.length > 0 && (
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
      )}
      <Snippet code={indented(body)} />
    </section>
  )
}

/** Keeps small objects on one line, as people write them. */
function indented(body: object): string {
  const lines = Object.entries(body).map(([name, value]) => `  "${name}": ${oneLine(value)}`)
  return `{\n${lines.join(',\n')}\n}`
}

function oneLine(value: unknown): string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return JSON.stringify(value)
  const members = Object.entries(value).map(([name, member]) => `"${name}": ${oneLine(member)}`)
  return `{ ${members.join(', ')} }`
}
