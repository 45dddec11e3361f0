import { connect } from 'node:net'
import type { Service } from './service.ts'

export type RawAnswer = { readonly status: number; readonly text: string }

/** Sends a request as it is written here: fetch would tidy its path, method and headers up. */
export function rawRequest(
  { url }: Service,
  { method = 'GET', path, host = 'shipfeed.test' }: { method?: string; path: string; host?: string },
): Promise<RawAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<RawAnswer>()
  const chunks: Buffer[] = []
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.on('data', (chunk) => chunks.push(Buffer.from(chunk)))
  socket.on('error', reject)
  socket.on('close', () => {
    const text = Buffer.concat(chunks).toString('latin1')
    resolve({ status: Number(text.split(' ')[1]), text })
  })
  socket.write(
    `${method} ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`,
  )
  return promise
}
