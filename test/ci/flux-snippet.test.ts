import { expect, test } from 'bun:test'
import { payloadIn } from '../fixtures/files.ts'
import { type FluxEvent, flux } from '../support/ci/deployers.ts'
import { madeIntake } from '../support/intake/intakes.ts'
import { textOf } from '../support/markup.ts'
import { signUp } from '../support/people.ts'
import { useService } from '../support/service.ts'

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
  const { env, url, ...metadata } = event.metadata
  return { ...event, metadata, involvedObject: { ...event.involvedObject, name, namespace: 'flux-system' } }
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
      { ...where, message: 'badges 6.4.0 deployed to production', version: '6.4.0' },
      {
        ...where,
        message: 'engine deployed to production',
        commit: '731f7eaddfb6af01cb2173e18f0f75b0ba780ef1',
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
