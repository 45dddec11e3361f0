import { Html } from '@elysiajs/html'
import { curlWithForm, curlWithJson } from './announce-examples.ts'
import { Panel } from './panel.tsx'
import type { Site } from './site.ts'
import { Snippet } from './snippet.tsx'

export function AnnouncePanel({ site }: { site: Site }): JSX.Element {
  return (
    <Panel
      id="announce"
      title="Announce a deployment"
      hint="Try it from your terminal, or paste it into a pipeline"
    >
      <Snippet label="With form fields" code={curlWithForm(site.baseUrl)} />
      <Snippet label="As JSON" code={curlWithJson(site.baseUrl)} />
      <p class="hint">
        <code>SHIPFEED_TOKEN</code> holds your token: keep it among your pipeline’s secrets.{' '}
        <a href="/docs">All fields and answers</a>
      </p>
    </Panel>
  )
}
