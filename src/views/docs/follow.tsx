import { Html } from '@elysiajs/html'
import type { Site } from '../page/site.ts'
import { Snippet } from '../parts/snippet.tsx'

/** How programs and feed readers follow what is announced. */
export function DocsFollow({ site, username }: { site: Site; username: string }): JSX.Element {
  const { baseUrl } = site
  return (
    <section class="stack" id="follow">
      <h2>Follow</h2>
      <p>
        Whatever is on the feed can be read without a token, from any page or program. A list has the newest
        first, 25 or as many as <code>limit</code> says up to 100, and in <code>older</code> the address of
        the page after it. <code>user</code>, <code>category</code> or <code>env</code>, and, of a user,{' '}
        <code>target</code> choose among them. <code>q</code> searches, as the field of the feed does, for
        words, <code>@user</code> and a host or project:
      </p>
      <Snippet id="list" label="List" code={`curl "${baseUrl}/api/deployments?user=${username}&limit=10"`} />
      <p>
        As they happen, they come as server-sent events: <code>deployment</code> with the same record,{' '}
        <code>withdrawn</code> with its id, and <code>account_deleted</code> with the username of an account
        whose deployments are all gone. A client that comes back with <code>Last-Event-ID</code> gets
        everything since, however long it was away; <code>?after=0</code> is everything there is.
      </p>
      <Snippet
        id="stream"
        label="Stream"
        code={`curl -N "${baseUrl}/api/deployments/live?user=${username}"`}
      />
      <p>In a feed reader, everybody’s or those of one user, as Atom or as JSON Feed:</p>
      <ul>
        {['/feed.atom', '/feed.json', `/${username}/feed.atom`, `/${username}/feed.json`].map((path) => (
          <li>
            <code safe>{`${baseUrl}${path}`}</code>
          </li>
        ))}
      </ul>
      <p>
        What somebody deploys to has a page of its own, such as{' '}
        <code safe>{`${baseUrl}/${username}/github.com/ada/engine`}</code>, with its badge, numbers and feeds.
        For a screen on a wall there is <code safe>{`${baseUrl}/wall`}</code>, which takes <code>user</code>,{' '}
        <code>target</code>, and <code>category</code> or <code>env</code>.
      </p>
    </section>
  )
}
