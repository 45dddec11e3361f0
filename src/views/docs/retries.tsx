import { Html } from '@elysiajs/html'

export function DocsRetries(): JSX.Element {
  return (
    <section class="stack" id="retries">
      <h2>Retries and rate</h2>
      <p>
        Send a header such as <code>Idempotency-Key: ada/engine:8841:deploy</code> and a retry cannot announce
        twice: the same key gives the first answer again, with <code>Idempotent-Replayed: true</code>. A key
        is yours alone and lives as long as its deployment. With another payload it is refused.
      </p>
      <p>A success and a 429 tell where you are in the minute:</p>
      <dl class="facts">
        <dt>
          <code>RateLimit-Policy</code>
        </dt>
        <dd>How many announcements fit in how many seconds.</dd>
        <dt>
          <code>RateLimit</code>
        </dt>
        <dd>How many are left.</dd>
        <dt>
          <code>Retry-After</code>
        </dt>
        <dd>With a 429 or a 503: how many seconds to wait.</dd>
      </dl>
    </section>
  )
}
