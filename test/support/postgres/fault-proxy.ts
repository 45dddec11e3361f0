import { createConnection, createServer, type Socket } from 'node:net'

/**
 * forward: passes everything on. far-away: the same, 100 ms later, each way. silent: connections stay open, and
 * nothing is passed on, not even on new ones. hang-up: a connection is accepted and ended at once, as by a balancer
 * without a server. cut-at-commit: passes everything on, but instead of the answer to a commit, or to a recording,
 * which commits by itself, the connection is reset. cut-at-query: lets a client connect, and resets the connection
 * when it asks for something.
 */
export type Mode = 'forward' | 'far-away' | 'silent' | 'hang-up' | 'cut-at-commit' | 'cut-at-query'

const farMs = 100

/** What the server says of something that is committed. */
const commits = ['COMMIT', '"created"']

/** A TCP proxy before Postgres that can be made to fail. */
export type FaultProxy = {
  /** The same database through the proxy. */
  readonly url: string
  /** How many connections it has accepted so far. */
  readonly accepted: number
  set(mode: Mode): void
  /** What is open stays open and silent for good, as behind a router that forgot it; new ones are served. */
  forget(): void
  /** Ends every connection as a server does that shuts down (FIN); new ones are served. */
  end(): void
  /** Resets every connection, and refuses new ones until `open`. */
  close(): Promise<void>
  open(): Promise<void>
}

/** Starts a proxy before the server of this Postgres address, on a port of its own, which it keeps. */
export async function startFaultProxy(target: string): Promise<FaultProxy> {
  const upstream = new URL(target)
  const sockets = new Set<Socket>()
  const pairs = new Set<readonly [Socket, Socket]>()
  let mode: Mode = 'forward'
  let port = 0
  let accepted = 0

  const server = createServer((client) => {
    track(client)
    accepted += 1
    if (mode === 'hang-up') client.end()
    else if (mode !== 'silent') connect(client)
  })
  await open()

  return {
    get url() {
      const url = new URL(target)
      url.host = `127.0.0.1:${port}`
      return url.href
    },
    get accepted() {
      return accepted
    },
    set(next) {
      mode = next
      for (const [client, server] of pairs) {
        for (const socket of [client, server]) mode === 'silent' ? socket.pause() : socket.resume()
      }
    },
    forget() {
      pairs.clear()
    },
    end() {
      for (const [client] of pairs) client.end()
    },
    async close() {
      for (const socket of sockets) socket.resetAndDestroy()
      if (server.listening) await new Promise((resolve) => server.close(resolve))
    },
    open,
  }

  function open(): Promise<void> {
    return new Promise((resolve, reject) => {
      server.once('error', reject)
      server.listen(port, '127.0.0.1', () => {
        server.off('error', reject)
        const address = server.address()
        if (address !== null && typeof address === 'object') port = address.port
        resolve()
      })
    })
  }

  function connect(client: Socket): void {
    const server = createConnection(Number(upstream.port || 5432), upstream.hostname)
    const pair = [client, server] as const
    pairs.add(pair)
    track(server)
    client.on('data', (chunk) => {
      // Only what opens a connection begins with a length instead of a letter.
      if (mode === 'cut-at-query' && chunk[0] !== 0) client.resetAndDestroy()
      else if (pairs.has(pair)) pass(server, chunk)
    })
    server.on('data', (chunk) => {
      if (mode === 'cut-at-commit' && commits.some((word) => chunk.includes(word))) client.resetAndDestroy()
      else if (pairs.has(pair)) pass(client, chunk)
    })
    for (const socket of pair) {
      socket.on('close', () => {
        pairs.delete(pair)
        for (const other of pair) other.destroy()
      })
    }
  }

  function pass(socket: Socket, chunk: string | Uint8Array): void {
    if (mode === 'far-away') setTimeout(() => socket.write(chunk), farMs)
    else socket.write(chunk)
  }

  function track(socket: Socket): void {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
  }
}
