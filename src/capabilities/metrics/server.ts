import { isIP } from 'node:net'
import { textFormat } from './prometheus.ts'

type Options = { readonly host: string; readonly port: number; readonly text: () => Promise<string> }

/** Serves the metrics at /metrics and gives the address. Throws if it cannot listen there. */
export function serveMetrics({ host, port, text }: Options): string {
  const server = Bun.serve({
    hostname: host,
    port,
    reusePort: false,
    development: false,
    async fetch({ method, url }) {
      const asked = URL.parse(url)
      if (asked === null || (asked.hostname !== host && !isOfThisNetwork(asked.hostname))) {
        return new Response('Use an IP address, or set METRICS_HOST to this name\n', { status: 421 })
      }
      const isFound = asked.pathname === '/metrics' && (method === 'GET' || method === 'HEAD')
      if (!isFound) return new Response('The metrics are at GET /metrics\n', { status: 404 })
      return new Response(await text(), { headers: { 'Content-Type': textFormat } })
    },
  })
  server.unref()
  return `http://${isIP(host) === 6 ? `[${host}]` : host}:${server.port}/metrics`
}

/**
 * A website can point its own host name at our address, so that its pages can read our answers (DNS
 * rebinding). Such a name contains a dot; names of the local network (localhost, app-1) do not.
 */
function isOfThisNetwork(hostname: string): boolean {
  return !hostname.includes('.') || isIP(hostname) !== 0
}
