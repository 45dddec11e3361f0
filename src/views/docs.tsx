import { Html } from '@elysiajs/html'
import type { User } from '../domain/user.ts'
import { curlWithForm, curlWithJson } from './announce-examples.ts'
import { DocsAnswers } from './docs-answers.tsx'
import { DocsBadges } from './docs-badges.tsx'
import { DocsRequest } from './docs-request.tsx'
import { DocsRetries } from './docs-retries.tsx'
import { Layout } from './layout.tsx'
import type { Site } from './site.ts'
import { Snippet } from './snippet.tsx'

const contents = [
  ['quick-start', 'Quick start'],
  ['request', 'The request'],
  ['answers', 'The answers'],
  ['retries', 'Retries and rate'],
  ['badges', 'Badges'],
] as const

export function DocsPage({ site, viewer }: { site: Site; viewer: User | null }): JSX.Element {
  return (
    <Layout
      site={site}
      viewer={viewer}
      title="Docs"
      current="docs"
      canonical="/docs"
      description="How to announce a deployment to Shipfeed and how to embed its badge."
    >
      <article class="docs">
        <h1>Docs</h1>
        <nav aria-label="Contents">
          <ul class="contents">
            {contents.map(([id, name]) => (
              <li>
                <a href={`#${id}`}>{name}</a>
              </li>
            ))}
          </ul>
        </nav>
        <QuickStart site={site} viewer={viewer} />
        <DocsRequest />
        <DocsAnswers site={site} />
        <DocsRetries />
        <DocsBadges site={site} username={viewer?.username ?? 'ada'} />
      </article>
    </Layout>
  )
}

function QuickStart({ site, viewer }: { site: Site; viewer: User | null }): JSX.Element {
  return (
    <section class="stack" id="quick-start">
      <h2>Quick start</h2>
      <ol class="steps">
        {viewer === null && site.registrationOpen && (
          <li>
            <a href="/sign-up">Create an account</a>.
          </li>
        )}
        <li>
          Generate an API token in your <a href="/settings">settings</a> and keep it in your pipeline’s
          secrets as <code>SHIPFEED_TOKEN</code>.
        </li>
        <li>Announce a deployment at the end of the pipeline. Either of the two will do:</li>
      </ol>
      <Snippet label="With form fields" code={curlWithForm(site.baseUrl)} />
      <Snippet label="As JSON" code={curlWithJson(site.baseUrl)} />
      <p>
        The deployment is on the <a href="/">feed</a> and on your profile, and your badge says Fresh.
      </p>
    </section>
  )
}
