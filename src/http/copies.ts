type Init = { readonly status?: number; readonly headers: Readonly<Record<string, string>> }

/** What is longer does not fit, with its headers, into what Bun sends at once. */
const sentAtOnce = 15_000

/**
 * Makes the function that gives one answer as often as it is asked for. A short one is copied, because making one
 * anew takes Bun about eight times as long.
 *
 * A long one is a stream, without a Content-Length, which Bun sends in two writes. Bytes or a text it would send in
 * some fifty, each name and each value of a header by itself, where the handler had to wait for something: ten times
 * the CPU time (Bun 1.4.5; pull request 41341 of oven-sh/bun mends that).
 */
export function copies(bytes: Uint8Array, init: Init): () => Response {
  if (bytes.length > sentAtOnce) return () => new Response(streamOf(bytes), init)
  const made = new Response(bytes, init)
  return () => made.clone() as Response
}

function streamOf(bytes: Uint8Array): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      controller.enqueue(bytes)
      controller.close()
    },
  })
}
