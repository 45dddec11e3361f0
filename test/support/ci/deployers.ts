/** A request that announces. */
export type Notification = {
  readonly address: string
  readonly headers: Record<string, string>
  readonly body: string
}

export type Application = { readonly name: string; readonly repository: string; readonly revision: string }

/**
 * Argo CD: what its notification sends once an application is deployed. Its templates are of Go: here in the part
 * that the snippet uses.
 */
export function argoCd(
  snippet: string,
  { name, repository, revision }: Application,
  token: string,
): Notification {
  const { data } = Bun.YAML.parse(snippet) as { data: Record<string, string> }
  const [trigger] = Bun.YAML.parse(data['trigger.on-deployed'] ?? '') as { send: string[] }[]
  const template = `template.${trigger?.send[0]}`
  const { webhook } = Bun.YAML.parse(data[template] ?? '') as {
    webhook: Record<string, { method: string; body: string }>
  }
  const [[service, { method, body }] = ['', { method: '', body: '' }]] = Object.entries(webhook)
  if (method !== 'POST') throw new Error('It is not posted')
  const { url, headers } = Bun.YAML.parse(data[`service.webhook.${service}`] ?? '') as {
    url: string
    headers: { name: string; value: string }[]
  }
  const app: Readonly<Record<string, string>> = {
    '.app.metadata.name': name,
    '.app.spec.source.repoURL': repository,
    '.app.status.sync.revision': revision,
  }
  const field = (path: string) => {
    const value = app[path]
    if (value === undefined) throw new Error(`An application has no ${path}`)
    return value
  }
  const evaluated = (expression: string) => {
    const [, one] = /^toJson (\.[\w.]+)$/.exec(expression) ?? []
    if (one !== undefined) return JSON.stringify(field(one))
    const [, format, paths = ''] = /^toJson \(printf "([^"]*)"((?: \.[\w.]+)+)\)$/.exec(expression) ?? []
    if (format === undefined) throw new Error(`This stand-in cannot evaluate ${expression}`)
    const values = paths.trim().split(' ').map(field)
    return JSON.stringify(format.replace(/%s/g, () => values.shift() ?? ''))
  }
  return {
    address: url,
    headers: Object.fromEntries(
      headers.map(({ name, value }) => [name, value.replace('$shipfeed-token', token)]),
    ),
    body: body.replace(/\{\{ (.*?) \}\}/g, (_, expression: string) => evaluated(expression)),
  }
}

export type FluxEvent = { readonly kind: string; readonly message: string; readonly revision: string }

/** Flux: what its generic provider posts of an event, or null where the alert does not want it. */
export function flux(snippet: string, event: FluxEvent, token: string): Notification | null {
  const [comment = '', ...rest] = snippet.split('\n')
  const [, header = ''] = /has a key "headers" with: (.*) ship_…$/.exec(comment) ?? []
  const [provider, alert] = rest
    .join('\n')
    .split('\n---\n')
    .map((text) => Bun.YAML.parse(text)) as [
    { metadata: { name: string }; spec: { type: string; address: string } },
    {
      spec: {
        providerRef: { name: string }
        eventSources: { kind: string; name: string }[]
        inclusionList: string[]
      }
    },
  ]
  if (provider.spec.type !== 'generic' || alert.spec.providerRef.name !== provider.metadata.name) {
    throw new Error('The alert is sent by another provider')
  }
  const isOfSource = alert.spec.eventSources.some(({ kind, name }) => kind === event.kind && name === '*')
  const isIncluded = alert.spec.inclusionList.some((pattern) => new RegExp(pattern).test(event.message))
  if (!isOfSource || !isIncluded) return null
  const [name = '', scheme = ''] = header.split(': ')
  return {
    address: provider.spec.address,
    headers: {
      [name]: `${scheme} ${token}`,
      'Content-Type': 'application/json',
      'Gotk-Component': 'kustomize-controller',
    },
    body: JSON.stringify({
      involvedObject: { kind: event.kind, namespace: 'flux-system', name: 'apps', uid: crypto.randomUUID() },
      severity: 'info',
      timestamp: '2026-11-22T06:00:00Z',
      message: event.message,
      reason: 'ReconciliationSucceeded',
      metadata: { revision: event.revision, summary: 'production' },
      reportingController: 'kustomize-controller',
      reportingInstance: 'kustomize-controller-7b7b47f459-6fjtx',
    }),
  }
}
