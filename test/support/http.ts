import { connect, type Socket } from 'node:net'
import type { Service } from './service.ts'

/** A connection on which a request was written as it stands, which no HTTP client would do. */
export type RawConnection = {
  readonly socket: Socket
  /** All that has come back so far. */
  text(): string
  /** All that came back, once the connection has ended. */
  readonly ended: Promise<string>
}

/** Writes these lines on a connection of their own. */
export function openRaw(url: string, lines: readonly string[]): RawConnection {
  const { hostname, port } = new URL(url)
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const socket = connect(Number(port), hostname)
  let text = ''
  socket.setEncoding('utf8')
  socket.on('data', (chunk) => {
    text += chunk
  })
  socket.on('error', reject)
  socket.on('close', () => resolve(text))
  // Not every test waits for the end.
  promise.catch(() => {})
  socket.write(lines.join('\r\n'))
  return { socket, text: () => text, ended: promise }
}

type Door = Pick<Service, 'url' | 'described'>

/**
 * Sends these lines and gives all that comes back; throws when the connection does not end within a minute, and where
 * the OpenAPI document does not describe the answer.
 */
export async function exchange({ url, described }: Door, lines: readonly string[]): Promise<string> {
  const { socket, text, ended } = openRaw(url, lines)
  socket.setTimeout(60_000, () =>
    socket.destroy(new Error(`The answer did not end within a minute: ${text()}`)),
  )
  const answer = await ended
  const [method = '', target = ''] = (lines[0] ?? '').split(' ')
  await described.check({ method, path: target.replace(/\?.*/, ''), response: responseOf(answer) })
  return answer
}

/** The one answer of a connection, as its text stands. */
function responseOf(text: string): Response {
  const [head = '', body = ''] = text.split(/\r\n\r\n(.*)/s)
  const [statusLine = '', ...fields] = head.split('\r\n')
  const headers = fields.map((field): [string, string] => {
    const [, name = '', value = ''] = /^([^:]+): *(.*)$/.exec(field) ?? []
    return [name, value]
  })
  return new Response(body, { status: Number(statusLine.split(' ')[1]), headers })
}

type Raw = { readonly method?: string; readonly path: string; readonly host?: string }

/** Sends a request whose path, method and Host fetch would tidy up. */
export async function rawRequest(
  service: Door,
  { method = 'GET', path, host = 'shipfeed.test' }: Raw,
): Promise<{ status: number; text: string }> {
  const head = [`${method} ${path} HTTP/1.1`, `Host: ${host}`, 'Connection: close', 'Content-Length: 0']
  const text = await exchange(service, [...head, '', ''])
  return { status: Number(text.split(' ')[1]), text }
}

/** Opens the live stream on a bare socket, which its owner can end as no HTTP client would. */
export async function openRawStream(url: string): Promise<RawConnection> {
  const head = ['GET /feed/live HTTP/1.1', `Host: ${new URL(url).hostname}`, 'Accept: text/event-stream']
  const stream = openRaw(url, [...head, '', ''])
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  stream.socket.on('data', () => {
    if (/\nid: \d+\n\n/.test(stream.text())) resolve()
  })
  stream.ended.then((text) => reject(new Error(`Closed after: ${text}`)), reject)
  await promise
  return stream
}
