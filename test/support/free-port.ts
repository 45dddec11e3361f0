/** A port of 127.0.0.1 on which nothing listens: for a server that has to be told its port. */
export function freePort(): number {
  const server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response() })
  const { port = 0 } = server
  void server.stop(true)
  return port
}
