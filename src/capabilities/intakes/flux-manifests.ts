import type { PageSlots } from '../../views/page/slots.ts'

/** For Flux's notification-controller, which signs what it posts to an intake. */
export function fluxManifests(address: string): string {
  return `# The secret "shipfeed" has the secret of the intake as its key "token".
apiVersion: notification.toolkit.fluxcd.io/v1beta3
kind: Provider
metadata:
  name: shipfeed
  namespace: flux-system
spec:
  type: generic-hmac
  address: ${address}
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
      name: engine
    - kind: HelmRelease
      name: '*'
  eventMetadata:
    environment: production
    url: https://github.com/ada/engine`
}

export const fluxSnippet: PageSlots = {
  pipelines: {
    Flux: (
      baseUrl,
    ) => `# Add an intake for Flux at ${baseUrl}/settings/intakes. It gives the address and the secret.
${fluxManifests(`${baseUrl}/api/in/flux/…`)}`,
  },
}
