import { expect, test } from 'bun:test'
import { payloadIn } from '../fixtures/files.ts'
import { madeIntake } from '../support/intake/intakes.ts'
import { textOf } from '../support/markup.ts'
import { signUp } from '../support/people.ts'
import { useService } from '../support/service.ts'
import type { Notification } from './services/argo-cd.ts'

/** An event of Flux, as its controllers give it to its notification-controller. */
type FluxEvent = {
  readonly involvedObject: { readonly kind: string; readonly name: string; readonly namespace: string }
  readonly metadata: Readonly<Record<string, string>>
  readonly reportingController: string
}

const service = await useService()

/** The manifests on the page of a new intake, and its secret. */
async function connected() {
  const ada = await signUp(service)
  const { settings, secret } = await madeIntake(ada, 'flux')
  const manifests = textOf(await (await ada.get(settings)).text(), '#intake-manifest')
  return { ada, secret, manifests }
}

const inFluxSystem = async (file: string, name: string): Promise<FluxEvent> => {
  const event = await payloadIn<FluxEvent>(`flux/${file}.json`)
  return { ...event, involvedObject: { ...event.involvedObject, name, namespace: 'flux-system' } }
}

test('the manifests of an intake announce what Flux sends, with the environment and the link of the alert', async () => {
  const { ada, secret, manifests } = await connected()
  for (const [file, name] of [
    ['kustomization', 'engine'],
    ['helm-upgrade', 'badges'],
  ] as const) {
    const notification = flux(manifests, await inFluxSystem(file, name), secret)
    if (notification === null) throw new Error('The alert does not want it')
    const { address, headers, body } = notification
    const answer = await service.fetch(new URL(address).pathname, { method: 'POST', headers, body })
    expect(answer.status).toBe(201)
  }
  const list = await service.fetch(`/api/deployments?user=${ada.username}`)
  const where = { environment: 'production', url: 'https://github.com/ada/engine' }
  expect(await list.json()).toMatchObject({
    deployments: [
      { ...where, message: 'badges 6.6.1 deployed to production', version: '6.6.1' },
      {
        ...where,
        message: 'engine deployed to production',
        commit: 'd11dc3159634606cafccb94cb9c2a22d3fbe90e7',
      },
    ],
  })
})

test('the manifests want no objects but those that they name', async () => {
  const { secret, manifests } = await connected()
  expect(flux(manifests, await inFluxSystem('kustomization', 'infrastructure'), secret)).toBeNull()
  const elsewhere = await payloadIn<FluxEvent>('flux/helm-upgrade.json')
  expect(flux(manifests, elsewhere, secret)).toBeNull()
})

/** Flux: what its notification-controller posts of an event, or null where the alert does not want it. */
function flux(snippet: string, event: FluxEvent, secret: string): Notification | null {
  const [provider, alert] = snippet.split('\n---\n').map((text) => Bun.YAML.parse(text)) as [
    {
      metadata: { name: string }
      spec: { type: string; address: string; secretRef: { name: string } }
    },
    {
      metadata: { namespace: string }
      spec: {
        providerRef: { name: string }
        eventSources: { kind: string; name: string; namespace?: string }[]
        eventMetadata: Record<string, string>
      }
    },
  ]
  if (provider.spec.type !== 'generic-hmac' || alert.spec.providerRef.name !== provider.metadata.name) {
    throw new Error('The alert is sent by another provider')
  }
  const { involvedObject } = event
  const isWanted = alert.spec.eventSources.some(
    ({ kind, name, namespace = alert.metadata.namespace }) =>
      kind === involvedObject.kind &&
      namespace === involvedObject.namespace &&
      ['*', involvedObject.name].includes(name),
  )
  if (!isWanted) return null
  const body = JSON.stringify({ ...event, metadata: { ...alert.spec.eventMetadata, ...event.metadata } })
  return {
    address: provider.spec.address,
    headers: {
      'Content-Type': 'application/json',
      'Gotk-Component': event.reportingController,
      'X-Signature': `sha256=${new Bun.CryptoHasher('sha256', secret).update(body).digest('hex')}`,
    },
    body,
  }
}
