import { Html } from '@elysiajs/html'
import { acceptedEvents } from '../../domain/cdevent.ts'
import { Snippet } from '../parts/snippet.tsx'

/** How tools that send CDEvents announce with them. */
export function DocsCdevents({ baseUrl }: { baseUrl: string }): JSX.Element {
  return (
    <section class="stack" id="cdevents">
      <h2>CDEvents</h2>
      <p>
        A tool that sends <a href="https://cdevents.dev">CDEvents</a> needs only the address and the token. An
        event is taken as <code>application/cloudevents+json</code>, or as <code>application/json</code> with
        the header <code>ce-specversion</code>; not in a batch. Its type is {acceptedEvents}.
      </p>
      <Snippet id="cdevent" label="An event" code={curlWithEvent(baseUrl)} />
      <Snippet id="cdevent-tekton" label="From a step of Tekton" code={tektonStep(baseUrl)} />
      <dl class="facts">
        <dt>message</dt>
        <dd>
          <code>customData.message</code>, else a sentence such as “engine deployed to production”, “upgraded
          in”, “published in” or “rolled back in”
        </dd>
        <dt>url</dt>
        <dd>
          <code>customData.url</code>
        </dd>
        <dt>environment</dt>
        <dd>
          <code>subject.content.environment.id</code>
        </dd>
        <dt>version</dt>
        <dd>
          what follows <code>@</code> in the package URL <code>subject.content.artifactId</code>
        </dd>
        <dt>Idempotency-Key</dt>
        <dd>
          <code>context.source</code> and <code>context.id</code>, unless the header is there
        </dd>
      </dl>
      <p>
        A rollback is a deployment as any other: it counts for the badge. An error names the member of the
        event that is wrong.
      </p>
    </section>
  )
}

/** The event of a deployment, with what a shell or Tekton puts in for its id. */
function eventWith(id: string): string {
  return JSON.stringify(
    {
      context: {
        specversion: '0.5.1',
        ...{ id, source: '/ci/engine', type: 'dev.cdevents.service.deployed.0.3.0' },
        timestamp: '2026-11-22T10:00:00Z',
      },
      subject: {
        id: 'engine',
        content: { environment: { id: 'production' }, artifactId: 'pkg:oci/engine@v2.4.0' },
      },
    },
    null,
    2,
  )
}

function curlWithEvent(baseUrl: string): string {
  return `curl ${baseUrl}/api \\
  -H "Authorization: Bearer $SHIPFEED_TOKEN" \\
  -H "Content-Type: application/json" -H "ce-specversion: 1.0" \\
  -d '${eventWith('run-8841')}'`
}

/** Tekton puts the name of the run in before the shell sees it. */
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
