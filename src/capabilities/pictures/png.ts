/** Each is about 60 KB. Readers of one message request its picture together. */
const maxKept = 32

/** Hundreds of times the usual time of a picture. */
const deadlineMs = 10_000

/** Next to this file in the repository, and below `src` in the standalone binary. */
const worker = new URL(
  Bun.isStandaloneExecutable ? './capabilities/pictures/png-worker.ts' : './png-worker.ts',
  import.meta.url,
)

type Picture = Promise<Uint8Array<ArrayBuffer>>

/** Renders SVG as PNG, one picture at a time. */
type PngRenderer = {
  /** Whether a picture is cached or being rendered, so that asking for it costs nothing. */
  has(key: string): boolean
  /** The picture of a key. Its SVG is made when its turn comes; rejects if it cannot be rendered. */
  render(key: string, svg: () => string): Picture
}

/** Makes a renderer, whose thread starts with the first picture and does not keep the process alive. */
export function pngRenderer(): PngRenderer {
  const kept = new Map<string, Picture>()
  let thread: Worker | null = null
  let last: Promise<unknown> = Promise.resolve()

  return {
    has: (key) => kept.has(key),
    render(key, svg) {
      const picture = kept.get(key) ?? drawAfterOthers(key, svg)
      kept.delete(key)
      kept.set(key, picture)
      for (const oldest of kept.keys()) {
        if (kept.size <= maxKept) break
        kept.delete(oldest)
      }
      return picture
    },
  }

  function drawAfterOthers(key: string, svg: () => string): Picture {
    const picture = last.then(() => draw(svg()))
    last = picture.catch(() => kept.delete(key))
    return picture
  }

  function draw(svg: string): Picture {
    const { promise, resolve, reject } = Promise.withResolvers<Uint8Array<ArrayBuffer>>()
    thread ??= new Worker(worker)
    thread.unref()
    const fail = (why: string) => {
      // The state of WebAssembly after a failure is unknown, so the next picture gets a new thread.
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
