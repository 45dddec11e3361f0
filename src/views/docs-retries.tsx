import { Html } from '@elysiajs/html'

export function DocsRetries(): JSX.Element {
  return (
    <section class="stack" id="retries">
      <h2>Retries and rate</h2>
      <h3>Idempotency-Key</h3>
      <p>
        Send a header such as <code>Idempotency-Key: ada/engine:8841:deploy</code> and a retry cannot announce
        twice: the same key gives the first answer again, with <code>Idempotent-Replayed: true</code>. The
        same key with another payload is 422 <code>idempotency_key_reused</code>. A key is 1 to 255 visible
        ASCII characters, quoted or bare; it is yours alone and lives as long as its deployment.
      </p>
      <h3>Rate</h3>
      <p>
        60 announcements a user in any minute, unless this installation says otherwise. A success and a 429
        tell where you are:
      </p>
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
        <dd>With a 429: how many seconds to wait.</dd>
      </dl>
    </section>
  )
}
