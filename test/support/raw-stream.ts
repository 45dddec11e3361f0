import { connect, type Socket } from 'node:net'

/** A stream over a bare socket, which its owner can end as no HTTP client would. */
export type RawStream = { readonly socket: Socket; text(): string }

/** Opens a stream and waits for its opening message. */
export async function openRawStream(url: string, path = '/feed/live'): Promise<RawStream> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  let text = ''
  socket.on('error', reject)
  socket.on('close', () => reject(new Error(`Closed after: ${text}`)))
  socket.on('data', (chunk) => {
    text += chunk
    if (/\nid: \d+\n\n/.test(text)) resolve()
  })
  socket.write(`GET ${path} HTTP/1.1\r\nHost: ${hostname}\r\nAccept: text/event-stream\r\n\r\n`)
  await promise
  return { socket, text: () => text }
}
