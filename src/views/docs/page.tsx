import { Html } from '@elysiajs/html'
import type { User } from '../../domain/account/user.ts'
import { Layout } from '../page/layout.tsx'
import type { Site } from '../page/site.ts'
import { curlWithForm, curlWithJson } from '../parts/announce-examples.ts'
import { pipelineSnippets } from '../parts/pipelines.ts'
import { Snippet, SnippetTabs } from '../parts/snippet.tsx'
import { DocsAnswers } from './answers.tsx'
import type { BadgePicture } from './badge-parameters.tsx'
import { DocsBadges } from './badges.tsx'
import { DocsCategories } from './categories.tsx'
import { DocsCdevents } from './cdevents.tsx'
import { DocsFollow } from './follow.tsx'
import { DocsLimits } from './limits.tsx'
import { DocsPublishers } from './publishers.tsx'
import { DocsRequest } from './request.tsx'
import { DocsRetries } from './retries.tsx'

const contents = [
  ['quick-start', 'Quick start'],
  ['without-a-secret', 'Without a secret'],
  ['request', 'The request'],
  ['categories', 'Categories'],
  ['cdevents', 'CDEvents'],
  ['success', 'The answer'],
  ['errors', 'Errors'],
  ['retries', 'Retries and rate'],
  ['limits', 'Limits'],
  ['badges', 'Badges'],
  ['follow', 'Follow'],
] as const

type Props = { site: Site; viewer: User | null; perMinute: number; picture: BadgePicture }

/** How to use the service, on one page; tests compare what it says with what the service does. */
export function DocsPage({ site, viewer, perMinute, picture }: Props): JSX.Element {
  const isTrusting = site.issuers.length > 0
  return (
    <Layout
      site={site}
      viewer={viewer}
      title="Docs"
      current="docs"
      canonical="/docs"
      description="How to announce a deployment to Shipfeed and how to embed its badge."
    >
      <div class="docs-columns">
        <nav class="contents" aria-label="Contents">
          <ul>
            {contents
              .filter(([id]) => isTrusting || id !== 'without-a-secret')
              .map(([id, name]) => (
                <li>
                  <a href={`#${id}`}>{name}</a>
                </li>
              ))}
          </ul>
        </nav>
        <article class="docs">
          <h1>Docs</h1>
          <QuickStart site={site} viewer={viewer} />
          {isTrusting && <DocsPublishers site={site} username={viewer?.username ?? 'ada'} />}
          <DocsRequest />
          <DocsCategories />
          <DocsCdevents baseUrl={site.baseUrl} />
          <DocsAnswers perMinute={perMinute} />
          <DocsRetries perMinute={perMinute} />
          <DocsLimits perMinute={perMinute} />
          <DocsBadges
            site={site}
            username={viewer?.username ?? 'ada'}
            isLive={viewer !== null}
            picture={picture}
          />
          <DocsFollow site={site} username={viewer?.username ?? 'ada'} />
        </article>
      </div>
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
      <Snippet id="with-form-fields" label="With form fields" code={curlWithForm(site.baseUrl)} />
      <Snippet id="as-json" label="As JSON" code={curlWithJson(site.baseUrl)} />
      <p>
        In a pipeline, this outlasts a restart of the server, announces once a run, and warns instead of
        failing the job. It fetches <a href="/ci/announce.sh">a script</a>; <code>SHIPFEED_FAIL=true</code>{' '}
        makes it fail, and its beginning lists what else can be said:
      </p>
      <SnippetTabs name="pipeline" legend="Where it runs" snippets={pipelineSnippets(site.baseUrl)} />
      <p>
        GitLab takes it in two lines, too, but then refuses pipelines for as long as it cannot reach this
        server: <code safe>{`include: [{ remote: ${site.baseUrl}/ci/gitlab.yml }]`}</code>
      </p>
      <p>
        The deployment is on the <a href="/">feed</a> and on your profile, and your badge says Fresh.
      </p>
    </section>
  )
}
