/** A command line that announces a deployment with form fields. */
export function curlWithForm(baseUrl: string): string {
  return `curl ${baseUrl}/api \\
  -H "Authorization: Bearer $SHIPFEED_TOKEN" \\
  --data-urlencode "message=✨ Saved searches" \\
  --data-urlencode "url=https://github.com/ada/engine/pull/412"`
}

/** The same announcement as JSON. */
export function curlWithJson(baseUrl: string): string {
  return `curl ${baseUrl}/api \\
  -H "Authorization: Bearer $SHIPFEED_TOKEN" \\
  -H "Content-Type: application/json" \\
  -d '{"message": "✨ Saved searches", "url": "https://github.com/ada/engine/pull/412"}'`
}
