import { Html } from '@elysiajs/html'
import { problemHeaders } from '../../domain/problem.ts'

const ofAnOutage = ['Retry-After'] as const
const ofTheMinute = ['RateLimit-Policy', 'RateLimit', ...ofAnOutage] as const

/** `perMinute` is how many announcements this installation takes of a user in a minute; 0 is any number. */
export function DocsRetries({ perMinute }: { perMinute: number }): JSX.Element {
  return (
    <section class="stack" id="retries">
      <h2>Retries and rate</h2>
      <p>
        Send a header such as <code>Idempotency-Key: ada/engine:8841:deploy</code> and a retry cannot announce
        twice: the same key gives the first answer again, with <code>Idempotent-Replayed: true</code>. A key
        is yours alone and lives as long as its deployment. With another payload it is refused. Without a key,
        a retry after a 503 or a lost connection may announce twice, for nobody can know whether the first
        call was recorded.
      </p>
      <p>
        {perMinute > 0 && 'A success and a 429 tell where you are in the minute; '}a 503 tells when to come
        back:
      </p>
      <dl class="facts">
        {(perMinute > 0 ? ofTheMinute : ofAnOutage).map((name) => (
          <>
            <dt>
              <code>{name}</code>
            </dt>
            <dd>{problemHeaders[name]}</dd>
          </>
        ))}
      </dl>
    </section>
  )
}
