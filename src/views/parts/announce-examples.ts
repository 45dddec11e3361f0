export type Example = { readonly message: string; readonly url?: string }

const example = { message: '✨ Saved searches', url: 'https://github.com/ada/engine/pull/412' }

/** A command line that announces a deployment with form fields. */
export function curlWithForm(baseUrl: string, fields: Example = example): string {
  const lines = Object.entries(fields).map(([name, value]) => `  --data-urlencode "${name}=${value}"`)
  return `curl ${baseUrl}/api \\
  -H "Authorization: Bearer $SHIPFEED_TOKEN" \\
${lines.join(' \\\n')}`
}

/** The same announcement as JSON. */
export function curlWithJson(baseUrl: string): string {
  return `curl ${baseUrl}/api \\
  -H "Authorization: Bearer $SHIPFEED_TOKEN" \\
  -H "Content-Type: application/json" \\
  -d '{"message": "${example.message}", "url": "${example.url}"}'`
}
