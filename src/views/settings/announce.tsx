import { Html } from '@elysiajs/html'
import type { Site } from '../page/site.ts'
import { curlWithForm, type Example } from '../parts/announce-examples.ts'
import { Panel } from '../parts/panel.tsx'
import { pipelineSnippets } from '../parts/pipelines.ts'
import { SnippetTabs } from '../parts/snippet.tsx'

export function AnnouncePanel({ site }: { site: Site }): JSX.Element {
  return (
    <Panel
      id="announce"
      title="Announce a deployment"
      hint="Try it from your terminal, or paste it into a pipeline"
    >
      <AnnounceSnippets site={site} />
    </Panel>
  )
}

type Props = { site: Site; example?: Example }

export function AnnounceSnippets({ site, example }: Props): JSX.Element {
  return (
    <>
      <SnippetTabs
        name="snippet"
        legend="Where it runs"
        snippets={[['curl', curlWithForm(site.baseUrl, example)], ...pipelineSnippets(site.baseUrl)]}
      />
      <p class="hint">
        <code>SHIPFEED_TOKEN</code> holds your token: keep it among your pipeline’s secrets.{' '}
        <a href="/docs">All fields and answers</a>
      </p>
    </>
  )
}
