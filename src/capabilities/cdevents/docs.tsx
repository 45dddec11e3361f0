import { Html } from '@elysiajs/html'
import type { DocsText } from '../../views/docs/docs-text.ts'
import { Snippet } from '../../views/parts/snippet.tsx'
import markdown from './docs.md' with { type: 'text' }
import { acceptedEvents } from './rules.ts'

export const cdeventsDocs: DocsText = {
  after: 'categories',
  markdown,
  values: ({ baseUrl }) => ({
    texts: { acceptedEvents },
    parts: {
      cdevent: <Snippet id="cdevent" label="An event" code={curlWithEvent(baseUrl)} />,
      cdeventTekton: <Snippet id="cdevent-tekton" label="From a step of Tekton" code={tektonStep(baseUrl)} />,
    },
  }),
}

/** A CDEvent for single quotes in a shell, which inserts the time; in a Tekton step, Tekton inserts the id. */
function eventWith(id: string): string {
  const event = JSON.stringify(
    {
      context: {
        specversion: '0.5.1',
        ...{ id, source: '/ci/engine', type: 'dev.cdevents.service.deployed.0.3.0' },
        timestamp: 'NOW',
      },
      subject: {
        id: 'engine',
        content: { environment: { id: 'production' }, artifactId: 'pkg:oci/engine@v2.4.0' },
      },
    },
    null,
    2,
  )
  return event.replace('NOW', `'"$(date -u +%Y-%m-%dT%H:%M:%SZ)"'`)
}

function curlWithEvent(baseUrl: string): string {
  return `curl ${baseUrl}/api \\
  -H "Authorization: Bearer $SHIPFEED_TOKEN" \\
  -H "Content-Type: application/json" -H "ce-specversion: 1.0" \\
  -d '${eventWith('run-8841')}'`
}

/** The same as a step of Tekton, which inserts the name of the run before the shell reads it. */
function tektonStep(baseUrl: string): string {
  return `- name: announce
  image: curlimages/curl
  env:
    - name: SHIPFEED_TOKEN
      valueFrom:
        secretKeyRef: {name: shipfeed, key: token}
  script: |
    #!/bin/sh
    curl --silent --show-error --retry 5 ${baseUrl}/api \\
      -H "Authorization: Bearer $SHIPFEED_TOKEN" \\
      -H "Content-Type: application/json" -H "ce-specversion: 1.0" \\
      -d '${eventWith('$(context.taskRun.name)').replaceAll('\n', '\n      ')}' || true`
}
