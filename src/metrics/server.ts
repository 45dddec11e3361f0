import { textFormat } from './text.ts'

type Options = {
  readonly host: string
  readonly port: number
  readonly text: () => Promise<string>
}

/**
 * Serves the metrics at /metrics of an address of their own, which proxies do not lead to. Gives that
 * address. Throws if it cannot be listened on.
 */
export function serveMetrics({ host, port, text }: Options): string {
  const server = Bun.serve({
    hostname: host,
    port,
    reusePort: false,
    development: false,
    async fetch({ method, url }) {
      const isFound = URL.parse(url)?.pathname === '/metrics' && (method === 'GET' || method === 'HEAD')
      if (!isFound) return new Response('The metrics are at GET /metrics\n', { status: 404 })
      return new Response(await text(), { headers: { 'Content-Type': textFormat } })
    },
  })
  server.unref()
  return `http://${server.hostname}:${server.port}/metrics`
}
