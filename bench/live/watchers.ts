/**
 * Holds this many open feeds, and tells its parent when the first and the last of them have received a post.
 * With a number of profiles, each watches one of them, in turn. It uses plain sockets, so that an event stream
 * and a WebSocket cost the same and as little as possible.
 */
const [kind = '', address = '', size = '0', profiles = '0'] = process.argv.slice(2)
const { hostname, port, host } = new URL(address)

const headOf: Readonly<Record<string, (n: number) => string>> = {
  'event-stream': (n) =>
    `GET /feed/live${filterOf(n)} HTTP/1.1\r\nHost: ${host}\r\nAccept: text/event-stream\r\n\r\n`,
  websocket: () =>
    `GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`,
}
const opened = { 'event-stream': 'HTTP/1.1 200', websocket: 'HTTP/1.1 101' }[kind] ?? ''
const marker = Buffer.from('[post ')
/** How many connect at once: fewer than fit the server's backlog. */
const connecting = 100

const received = new Map<string, number>()
const total = Number(size)

for (let held = 0; held < total; held += connecting) {
  await Promise.all(Array.from({ length: Math.min(connecting, total - held) }, (_, n) => hold(held + n)))
}
process.send?.({ kind: 'held' })

function filterOf(n: number): string {
  return profiles === '0' ? '' : `?user=u${(n % Number(profiles)) + 1}`
}

async function hold(n: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  await Bun.connect({
    hostname,
    port: Number(port),
    socket: {
      open: (socket) => void socket.write(headOf[kind]?.(n) ?? ''),
      data(_socket, bytes) {
        if (bytes.indexOf(opened) === 0) resolve()
        count(bytes)
      },
      close: () => reject(new Error('The server closed a feed')),
    },
  })
  await promise
}

/** Two events that follow each other closely may arrive as one piece. */
function count(bytes: Buffer): void {
  for (let start = bytes.indexOf(marker); start >= 0; start = bytes.indexOf(marker, start)) {
    start += marker.length
    note(bytes.toString('latin1', start, bytes.indexOf(']', start)))
  }
}

function note(post: string): void {
  const reached = (received.get(post) ?? 0) + 1
  received.set(post, reached)
  const at = performance.timeOrigin + performance.now()
  if (reached === 1) process.send?.({ kind: 'first', post, at })
  if (reached === total) process.send?.({ kind: 'last', post, at })
}

export {}
