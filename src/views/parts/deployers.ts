/** Of Argo CD's notifications, once a commit; "toJson" keeps every name within its string. */
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
  template.shipfeed: |
    webhook:
      shipfeed:
        method: POST
        body: |
          {
            "message": {{ toJson (printf "%s is at %s" .app.metadata.name .app.status.sync.revision) }},
            "url": {{ toJson .app.spec.source.repoURL }}
          }
  trigger.on-deployed: |
    - when: app.status.operationState.phase in ['Succeeded'] and app.status.health.status == 'Healthy'
      oncePer: app.status.sync.revision
      send: [shipfeed]`
}

/** Of Flux's notifications: the event that its generic provider posts has a message of its own. */
export function flux(baseUrl: string): string {
  return `# The secret shipfeed has a key "headers" with: Authorization: Bearer ship_…
apiVersion: notification.toolkit.fluxcd.io/v1beta3
kind: Provider
metadata:
  name: shipfeed
  namespace: flux-system
spec:
  type: generic
  address: ${baseUrl}/api
  secretRef:
    name: shipfeed
---
apiVersion: notification.toolkit.fluxcd.io/v1beta3
kind: Alert
metadata:
  name: shipfeed
  namespace: flux-system
spec:
  providerRef:
    name: shipfeed
  eventSources:
    - kind: Kustomization
      name: '*'
  inclusionList:
    - .*Applied revision.*`
}
