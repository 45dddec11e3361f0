import { maxBodyBytes } from '../domain/announcement.ts'
import { Problem } from './problem.ts'

/**
 * Reads a body to its end, but never more than the limit, whatever its framing. Throws a Problem: 413, or 400
 * if the body does not arrive whole.
 */
export async function readBytes(request: Request): Promise<Uint8Array> {
  const declared = request.headers.get('content-length')
  if (Number(declared) > maxBodyBytes) throw new Problem('payload_too_large')
  try {
    return declared === null ? await readChunks(request) : new Uint8Array(await request.arrayBuffer())
  } catch (error) {
    if (error instanceof Problem) throw error
    // The caller has gone, was too slow or broke the framing, which is no fault of ours and not logged.
    throw new Problem('bad_request', 'The body did not arrive whole. Send it again.')
  }
}

async function readChunks({ body, signal }: Request): Promise<Uint8Array> {
  if (body === null) return new Uint8Array()
  const reader = body.getReader()
  const chunks: Uint8Array[] = []
  let size = 0
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    chunks.push(read.value)
    size += read.value.length
    if (size > maxBodyBytes) {
      // Bun drops the rest as it comes. This promise would wait for its end, so it is not awaited.
      reader.cancel().catch(() => {})
      throw new Problem('payload_too_large')
    }
  }
  // Bun ends the stream at the last chunk, before it reads what follows: a trailer or garbage, which it
  // answers with 400 by itself. Whatever came with that chunk is read after one turn of the event loop.
  await new Promise(setImmediate)
  signal.throwIfAborted()
  return Buffer.concat(chunks)
}
