import { Html } from '@elysiajs/html'
import type { Site } from '../page/site.ts'
import { Panel } from '../parts/panel.tsx'
import { curlWithForm, type ExampleFields, pipelineSnippets } from '../parts/pipeline-snippets.ts'
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

type Props = { site: Site; example?: ExampleFields }

export function AnnounceSnippets({ site, example }: Props): JSX.Element {
  return (
    <>
      <SnippetTabs
        name="snippet"
        legend="Where it runs"
        snippets={[['curl', curlWithForm(site.baseUrl, example)], ...pipelineSnippets(site.baseUrl)]}
      />
      <p class="hint">
        Store your token as <code>SHIPFEED_TOKEN</code> in your pipeline’s secrets. See{' '}
        <a href="/docs">all fields and answers</a>, and how to <a href="/docs#pinned">pin the script</a>.
      </p>
    </>
  )
}
