import { Html } from '@elysiajs/html'
import type { Site } from './site.ts'
import { Snippet } from './snippet.tsx'

const errors = [
  ['400', 'bad_request', 'The body is not what its media type says: broken JSON, UTF-8 or percent escape.'],
  ['405', 'method_not_allowed', 'The address takes another method; the Allow header names it.'],
  ['409', 'conflict', 'Another request is in the way of this one. Send it again in a moment.'],
  ['413', 'payload_too_large', 'The body is over 64 KiB.'],
  ['415', 'unsupported_media_type', 'The body is neither JSON nor a form, or has no media type.'],
  ['422', 'validation_error', 'Fields are invalid; details names every one with its reasons.'],
  ['422', 'idempotency_key_reused', 'This Idempotency-Key came with another payload before.'],
  ['429', 'rate_limited', 'Too many announcements. Retry-After says how many seconds to wait.'],
  ['500', 'internal_error', 'Something broke on our side.'],
  ['503', 'unavailable', 'The database cannot answer right now. Send it again later.'],
] as const

const unauthorized = '{"error": "Unauthorized"}'

const invalid = `{
  "error": "validation_error",
  "message": "<summary>",
  "details": { "message": ["can't be blank"] }
}`

const otherError = '{"error": "<name>", "message": "<what to do about it>"}'

export function DocsAnswers({ site }: { site: Site }): JSX.Element {
  return (
    <section class="stack" id="answers">
      <h2>The answers</h2>
      <p>
        <strong>201 Created</strong>, with the deployment’s page in the <code>Location</code> header:
      </p>
      <Snippet label={`Location: ${site.baseUrl}/ada/412`} code={record} />
      <p>
        <code>deployed_at</code> is our clock, in UTC. <code>url</code> is <code>null</code> when it was
        omitted or empty.
      </p>
      <p>
        <strong>401 Unauthorized</strong>, when the token is missing or not valid:
      </p>
      <Snippet code={unauthorized} />
      <p>
        <strong>422 Unprocessable Content</strong>, with all invalid fields at once:
      </p>
      <Snippet code={invalid} />
      <p>Every other error:</p>
      <Snippet code={otherError} />
      <h3 id="errors">Errors</h3>
      <dl class="facts">
        {errors.map(([status, name, meaning]) => (
          <>
            <dt>
              {status} <code>{name}</code>
            </dt>
            <dd>{meaning}</dd>
          </>
        ))}
      </dl>
    </section>
  )
}

const record = `{
  "id": 412,
  "message": "✨ Saved searches",
  "url": "https://github.com/ada/engine/pull/412",
  "deployed_at": "2026-03-12T14:03:22Z",
  "user": { "id": 7, "name": "Ada Lovelace" },
  "status": "success",
  "category": "feature"
}`
