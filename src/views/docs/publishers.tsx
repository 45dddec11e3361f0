import { Html } from '@elysiajs/html'
import { issuerName } from '../../domain/publisher/issuer.ts'
import type { Site } from '../page/site.ts'
import { secretlessSnippets } from '../parts/secretless.ts'
import { SnippetTabs } from '../parts/snippet.tsx'

/** How a pipeline announces that holds no secret, where somebody vouches for it. */
export function DocsPublishers({ site, username }: { site: Site; username: string }): JSX.Element {
  const { baseUrl, audience, issuers } = site
  return (
    <section class="stack" id="without-a-secret">
      <h2>Without a secret</h2>
      <p>
        Here, pipelines may prove who they are instead of keeping a token, where one of these runs them:{' '}
        <span safe>{issuers.map(issuerName).join(', ')}</span>. Add yours to the trusted publishers in your{' '}
        <a href="/settings#publishers">settings</a>: its repository, and as you like its workflow and its
        environment. Then this is all:
      </p>
      <SnippetTabs
        name="secretless"
        legend="Where it runs"
        snippets={secretlessSnippets({ baseUrl, audience, username })}
      />
      <p>
        The job exchanges its identity token by <code>POST /api/oidc</code> (<code>jwt</code>,{' '}
        <code>user</code>) for a token that announces for 15 minutes, and ends it by{' '}
        <code>DELETE /api/oidc</code>. An identity token is good once, and has to be for the audience{' '}
        <code safe>{audience}</code>. The numbers behind a repository’s name are kept at first use, so that
        nobody who gets that name later can announce by it. Runs for pull and merge requests are refused.
      </p>
      <p>
        A 401 says nothing: the token is of nobody who is listed here. A 403 names the claim and what it
        should be, and you find it among the refused calls. On GitHub, what is missing is nearly always{' '}
        <code>permissions: id-token: write</code>.
      </p>
    </section>
  )
}
