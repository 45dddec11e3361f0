/** The last pictures that were drawn, some 60 KB each: readers of one message ask for its picture together. */
const mostKept = 32

/** Hundreds of times what a picture takes. */
const deadlineMs = 10_000

/** Beside its own code in the repository, and below `src` in the one binary. */
const worker = new URL(
  Bun.isStandaloneExecutable ? './card/png-worker.ts' : './png-worker.ts',
  import.meta.url,
)

type Picture = Promise<Uint8Array<ArrayBuffer>>

/** Draws SVG as PNG, one picture after the other. */
export type PngRenderer = {
  /** Whether a picture is kept or under way, and so costs nothing. */
  has(svg: string): boolean
  /** The picture of a text; rejects if it cannot be drawn. */
  render(svg: string): Picture
}

/** Makes a renderer, whose thread begins with the first picture and does not hold the process. */
export function pngRenderer(): PngRenderer {
  const kept = new Map<string, Picture>()
  let thread: Worker | null = null
  let last: Promise<unknown> = Promise.resolve()

  return {
    has: (svg) => kept.has(svg),
    render(svg) {
      const picture = kept.get(svg) ?? drawAfterOthers(svg)
      kept.delete(svg)
      kept.set(svg, picture)
      for (const oldest of kept.keys()) {
        if (kept.size <= mostKept) break
        kept.delete(oldest)
      }
      return picture
    },
  }

  function drawAfterOthers(svg: string): Picture {
    const picture = last.then(() => draw(svg))
    last = picture.catch(() => kept.delete(svg))
    return picture
  }

  function draw(svg: string): Picture {
    const { promise, resolve, reject } = Promise.withResolvers<Uint8Array<ArrayBuffer>>()
    thread ??= new Worker(worker)
    thread.unref()
    const fail = (why: string) => {
      // What WebAssembly holds after a failure is anybody's guess, so the next picture gets a new thread.
      thread?.terminate()
      thread = null
      reject(new Error(`the picture cannot be drawn: ${why}`))
    }
    const timer = setTimeout(fail, deadlineMs, 'no answer')
    thread.onmessage = ({ data }) => resolve(data)
    thread.onerror = ({ message }) => fail(message)
    thread.postMessage(svg)
    return promise.finally(() => clearTimeout(timer))
  }
}
