import { afterAll, describe, expect, test } from 'bun:test'
import { eventually } from '../../support/eventually.ts'
import { textOf } from '../../support/markup.ts'
import { needing } from '../../support/needs/needs.ts'
import { createChecker, type Description } from '../../support/openapi.ts'
import { signUpPoster } from '../../support/people.ts'
import { freePort, startCommand } from '../../support/process.ts'
import { startService, useService } from '../../support/service.ts'
import { receiver, webhookOf } from '../../support/webhooks/receiver.ts'

const service = await useService({ WEBHOOKS: 'any' })
const page = await (await service.fetch('/docs')).text()
const document = (await (await service.fetch('/openapi.json')).json()) as Description & {
  readonly webhooks: Readonly<Record<string, { readonly post: Sent }>>
}
type Sent = {
  readonly parameters: readonly { readonly name: string }[]
  readonly requestBody: { readonly content: { readonly 'application/json': { readonly schema: object } } }
}

test('the OpenAPI document describes each message that a receiver gets, and its headers', async () => {
  await using hook = receiver()
  const ada = await signUpPoster(service)
  const { id } = await webhookOf(service, ada, hook.url)
  await ada.send(`/settings/webhooks/${id}/test`, {})
  const announced = await ada.announced({ message: 'One', environment: 'production', version: 'v1' })
  await eventually('the test and the announcement have arrived', () => hook.received.length === 2)
  await ada.send(`/${ada.username}/${announced}/delete`, {})
  await eventually('the withdrawal has arrived', () => hook.received.length === 3)
  const checker = createChecker(document)
  for (const { body, headers } of hook.received) {
    const { parameters, requestBody } = document.webhooks[String(body.type)]?.post ?? {}
    const schema = requestBody?.content['application/json'].schema ?? {}
    expect([body, checker.fits(body, schema)]).toEqual([body, true])
    expect(checker.fits({ ...body, other: 1 }, schema)).toBeFalse()
    const own = Object.keys(headers).filter((name) => /^webhook-|^shipfeed-/.test(name))
    expect(own.toSorted()).toEqual((parameters ?? []).map(({ name }) => name.toLowerCase()).toSorted())
  }
  expect(hook.received.map(({ body }) => body.test)).toEqual([true, undefined, undefined])
})

describe('the receiver in the docs', () => {
  const port = freePort()
  const url = `http://127.0.0.1:${port}/`
  let stop = () => {}
  afterAll(() => stop())

  needing('node').test('takes our messages, and no others', async () => {
    const ada = await signUpPoster(service)
    const { secret } = await webhookOf(service, ada, url)
    const code = textOf(page, '#receiver').replace('8080', String(port))
    const { child, output } = startCommand(['node', '--input-type=module', '-e', code], {
      cwd: process.cwd(),
      env: { PATH: process.env.PATH ?? '', WEBHOOK_SECRET: secret },
    })
    stop = () => child.kill()
    const forged = () => fetch(url, { method: 'POST', body: '{"type":"deployment.announced","data":{}}' })
    await eventually('it listens', () =>
      forged().then(
        ({ status }) => status === 401,
        () => false,
      ),
    )
    const id = await ada.announced({ message: 'Received' })
    await eventually('it has arrived', () => output().includes(`deployment.announced ${id} Received`))
  })
})

test('a service without webhooks says nothing of them', async () => {
  await using without = await startService()
  expect(await (await without.fetch('/docs')).text()).not.toContain('id="webhooks"')
  expect(await (await without.fetch('/openapi.json')).json()).not.toHaveProperty('webhooks')
})
