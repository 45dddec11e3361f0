import { Html } from '@elysiajs/html'
import { categories } from '../domain/category.ts'

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
          What was deployed. Several lines and emoji are welcome; it is stored and shown as you sent it. 4,096
          bytes of UTF-8 at most. Control characters other than tab and line ends are refused.
        </dd>
        <dt>
          <code>url</code>
        </dt>
        <dd>
          A link to the commit, the pull request or the release notes: <code>http</code> or <code>https</code>
          , no user name or password in it, 2,048 characters at most.
        </dd>
        <dt>
          <code>category</code>
        </dt>
        <dd>One of the four below. When you leave it out it is read from the message.</dd>
      </dl>
      <p>
        Unknown fields are ignored. A field may be given once, and a value is text: a number is not a message.
      </p>
      <h3>Body</h3>
      <p>
        JSON (<code>application/json</code>), form fields (<code>application/x-www-form-urlencoded</code>) or{' '}
        <code>multipart/form-data</code> with text fields; 64 KiB at most.
      </p>
      <Categories />
    </section>
  )
}

function Categories(): JSX.Element {
  return (
    <>
      <h3 id="categories">Categories</h3>
      <dl class="facts">
        {Object.entries(categories).map(([slug, label]) => (
          <>
            <dt>
              <code safe>{slug}</code>
            </dt>
            <dd>
              <span class={`category ${slug}`}>{label}</span>
            </dd>
          </>
        ))}
      </dl>
      <p>
        Without the field, the first line of the message decides: a Conventional Commits type (
        <code>fix: …</code>, <code>feat(search): …</code>, also after an emoji), else a leading gitmoji (✨ or{' '}
        <code>:bug:</code>), else the leading verb (“Fix …”, “Add …”, “Speed up …”). <code>style:</code> and
        💄 are styling changes; 🚀 says nothing. When nothing tells, the category is <code>null</code> and the
        feed says “deployment”.
      </p>
    </>
  )
}
