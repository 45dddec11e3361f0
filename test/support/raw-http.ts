import { connect } from 'node:net'
import type { Service } from './service.ts'

/** Sends these lines as they are, which no HTTP client would, and gives all that comes back. */
export async function exchange(service: Service, lines: readonly string[]): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1')
  let answer = ''
  socket.setTimeout(5_000, () => socket.destroy(new Error(`No end of the answer: ${answer}`)))
  socket.on('data', (bytes) => {
    answer += bytes.toString()
  })
  socket.on('error', reject)
  socket.on('close', () => resolve(answer))
  socket.write(lines.join('\r\n'))
  return await promise
}
