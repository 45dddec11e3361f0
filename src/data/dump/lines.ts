import { DumpRefused } from './refused.ts'

/** A row of ours is never longer, in characters. */
const longestLine = 4_000_000

/** The lines of a gzipped text, without their ends. Throws DumpRefused where it is cut or no such text. */
export async function* linesOf(bytes: ReadableStream<Uint8Array>): AsyncGenerator<string, void> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  let rest = ''
  for await (const chunk of unzipped(bytes)) {
    const [first = '', ...others] = decoded(decoder, chunk).split('\n')
    rest += first
    for (const next of others) {
      yield rest
      rest = next
    }
    if (rest.length > longestLine) throw new DumpRefused('it has a line that is no row of Shipfeed')
  }
  if (rest !== '') throw new DumpRefused('it is cut')
}

async function* unzipped(bytes: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  try {
    yield* bytes.pipeThrough(new DecompressionStream('gzip') as TransformStream<Uint8Array, Uint8Array>)
  } catch (error) {
    // What the streams throw for a file that is cut, altered or no gzip.
    if (error instanceof TypeError) throw new DumpRefused(`it is cut, altered or no dump (${error.message})`)
    throw error
  }
}

function decoded(decoder: TextDecoder, chunk: Uint8Array): string {
  try {
    return decoder.decode(chunk, { stream: true })
  } catch {
    throw new DumpRefused('it is not UTF-8')
  }
}
