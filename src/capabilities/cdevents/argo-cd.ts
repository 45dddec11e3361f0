import type { PageSlots } from '../../views/page/slots.ts'

/**
 * For Argo CD's notifications, sent once for each entry of an application's history, so also for a rollback; without a
 * history, once for each synced revision. Argo CD allows no templates in the headers of a webhook, so this is a
 * CDEvent, whose source and id serve as the Idempotency-Key. With several sources, the first repository gives the link
 * and the commit, and a chart gives the version. "toJson" escapes every name.
 */
export function argoCd(baseUrl: string): string {
  return `# In argocd-notifications-cm; shipfeed-token is a key of argocd-notifications-secret.
data:
  service.webhook.shipfeed: |
    url: ${baseUrl}/api
    headers:
      - name: Authorization
        value: Bearer $shipfeed-token
      - name: Content-Type
        value: application/json
      - name: ce-specversion
        value: '1.0'
  template.shipfeed: |
    webhook:
      shipfeed:
        method: POST
        body: |
          {{- $synced := .app.status.operationState.syncResult }}
          {{- $revisions := $synced.revisions | default (list $synced.revision) }}
          {{- $sources := .app.spec.sources | default (list (.app.spec.source | default dict)) }}
          {{- $link := "" }}{{ $commit := "" }}{{ $artifact := "" }}
          {{- range $n, $source := $sources }}
          {{- $revision := "" }}{{ if lt $n (len $revisions) }}{{ $revision = index $revisions $n }}{{ end }}
          {{- $isCommit := and (not $source.chart) (regexMatch "^[0-9a-f]{7,64}$" $revision) }}
          {{- if or (eq $n 0) (and $isCommit (not $commit)) }}{{ $link = $source.repoURL | default "" }}{{ end }}
          {{- if and $isCommit (not $commit) }}{{ $commit = $revision }}{{ end }}
          {{- if and $source.chart (not $artifact) }}
          {{- $artifact = printf "pkg:helm/%s@%s" (urlquery $source.chart) (urlquery $revision) }}
          {{- end }}
          {{- end }}
          {{- $link = regexReplaceAll "^(?:ssh://)?[^@/:]+@([^:/]+)(?::[0-9]+/|[:/])" $link "https://\${1}/" }}
          {{- $link = regexReplaceAll "^(https?://)[^@/]*@" $link "\${1}" | trimSuffix ".git" }}
          {{- $entry := "" }}{{ with .app.status.history }}{{ $entry = int64 (last .).id | toString }}{{ end }}
          {{- $to := .app.spec.destination }}
          {{- $environment := coalesce $to.namespace $to.name "in-cluster" }}
          {
            "context": {
              "specversion": "0.5.1",
              "type": "dev.cdevents.service.deployed.0.3.0",
              "source": {{ toJson (printf "/argocd/%s" .app.metadata.namespace) }},
              "id": {{ toJson (printf "%s:%s:%s" .app.metadata.uid $entry (join "," $revisions)) }},
              "timestamp": {{ toJson .app.status.operationState.finishedAt }}
            },
            "subject": {
              "id": {{ toJson .app.metadata.name }},
              "content": {
                "environment": {
                  "id": {{ toJson (regexReplaceAll "[^A-Za-z0-9._/-]" $environment "_" | trunc 64) }}
                },
                "artifactId": {{ toJson $artifact }}
              }
            },
            "customData": {
              "message": {{ toJson (printf "%s is at %s" .app.metadata.name (join ", " $revisions)) }},
              "url": {{ if hasPrefix "http" $link }}{{ toJson $link }}{{ else }}null{{ end }},
              "commit": {{ toJson $commit }}
            }
          }
  trigger.on-deployed: |
    - when: app.status.operationState != nil and app.status.operationState.phase == 'Succeeded' and app.status.health.status == 'Healthy'
      oncePer: '[app.status.history == nil or len(app.status.history) == 0 ? 0 : app.status.history[len(app.status.history) - 1].id, app.status.operationState.syncResult.revision, app.status.operationState.syncResult.revisions]'
      send: [shipfeed]`
}

export const argoCdSnippet: PageSlots = { pipelines: { 'Argo CD': argoCd } }
