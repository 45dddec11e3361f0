import { Html } from '@elysiajs/html'

export function DocsRequest(): JSX.Element {
  return (
    <section class="stack" id="request">
      <h2>The request</h2>
      <p>
        <code>POST /api</code> with the header <code>Authorization: Bearer $SHIPFEED_TOKEN</code>. The header
        alone authenticates: a token in the query, in the body or in a cookie does not. For programs:{' '}
        <a href="/openapi.json">openapi.json</a>.
      </p>
      <h3>Fields</h3>
      <dl class="facts">
        <dt>
          <code>message</code>, required
        </dt>
        <dd>
          What was deployed. Several lines and emoji are welcome; it is stored and shown as you sent it. Only
          NUL is refused; pages draw other control characters as pictures such as ␛.
        </dd>
        <dt>
          <code>url</code>
        </dt>
        <dd>
          A link to the commit, the pull request or the release notes: <code>http</code> or <code>https</code>
          , no user name or password in it.
        </dd>
        <dt>
          <code>category</code>
        </dt>
        <dd>One of the four below. When you leave it out it is read from the message.</dd>
        <dt>
          <code>environment</code>
        </dt>
        <dd>
          Where it went: <code>production</code>, <code>eu/staging</code>. Lists and badges can be asked for
          one of them; upper and lower case are one.
        </dd>
        <dt>
          <code>version</code>
        </dt>
        <dd>
          What it is called, in one line: <code>v2.4.0</code>.
        </dd>
        <dt>
          <code>commit</code>
        </dt>
        <dd>The hash of the commit, or its beginning.</dd>
      </dl>
      <p>
        Unknown fields are ignored. A value is text: a number is not a message. A form field of ours may be
        given once; of a key that JSON repeats, the last one counts.
      </p>
      <h3>Body</h3>
      <p>
        JSON (<code>application/json</code>), form fields (<code>application/x-www-form-urlencoded</code>) or{' '}
        <code>multipart/form-data</code> with text fields; in UTF-8, and not compressed. How much fits is
        under <a href="#limits">limits</a>.
      </p>
    </section>
  )
}
