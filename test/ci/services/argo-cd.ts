import { join } from 'node:path'
import { goPath } from '../../support/needs/programs.ts'

/** A request that announces. */
export type Notification = {
  readonly address: string
  readonly headers: Record<string, string>
  readonly body: string
}

/** An application of Argo CD, in the members that its notifications read. */
export type Application = {
  readonly metadata: { readonly name: string; readonly namespace: string; readonly uid: string }
  readonly spec: object
  readonly status: object
}

/** What the engine decides of an application: the text that says whether it was sent before, and what it sends. */
export type Decided = { readonly oncePer: string; readonly notification: Notification }

/**
 * Argo CD: what its notification sends of an application, null where the trigger does not hold. Its templates and
 * its expressions are run by the packages of Go that its own engine is made of: `engine` is the program.
 */
export async function argoCd(
  engine: string,
  snippet: string,
  app: Application,
  token: string,
): Promise<Decided | null> {
  const { data } = Bun.YAML.parse(snippet) as { data: Record<string, string> }
  const [trigger] = Bun.YAML.parse(data['trigger.on-deployed'] ?? '') as {
    when: string
    oncePer: string
    send: string[]
  }[]
  if (trigger === undefined) throw new Error('There is no trigger')
  const { webhook } = Bun.YAML.parse(data[`template.${trigger.send[0]}`] ?? '') as {
    webhook: Record<string, { method: string; body: string }>
  }
  const [[service, { method, body }] = ['', { method: '', body: '' }]] = Object.entries(webhook)
  if (method !== 'POST') throw new Error('It is not posted')
  const { url, headers } = Bun.YAML.parse(data[`service.webhook.${service}`] ?? '') as {
    url: string
    headers: { name: string; value: string }[]
  }
  const { when, oncePer } = trigger
  const child = Bun.spawn([engine], {
    stdin: new Blob([JSON.stringify({ when, oncePer, body, app })]),
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [output, errors] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ])
  if ((await child.exited) !== 0) throw new Error(errors)
  const decided = JSON.parse(output) as { isTriggered: boolean; oncePer: string; body: string }
  if (!decided.isTriggered) return null
  const named = headers.map(({ name, value }) => [name, value.replace('$shipfeed-token', token)])
  const notification = { address: url, headers: Object.fromEntries(named), body: decided.body }
  return { oncePer: decided.oncePer, notification }
}

/** Builds what runs Argo CD's templates and expressions, with Debian's Go and its packages (.ci/run); gives its path. */
export async function buildArgoCd(directory: string): Promise<string> {
  const path = join(directory, 'argo-cd')
  const build = Bun.spawn(['go', 'build', '-o', path, join(import.meta.dir, 'argo-cd.go')], {
    env: { ...process.env, GO111MODULE: 'off', GOPATH: goPath },
    stderr: 'pipe',
  })
  const errors = await new Response(build.stderr).text()
  if ((await build.exited) !== 0) throw new Error(errors)
  return path
}
