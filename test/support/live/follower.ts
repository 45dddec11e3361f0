import { messageParser } from './event-source.ts'

/** A watcher that reconnects whenever the stream ends, until it is stopped. */
export type Follower = {
  /** The id of every received event, including repeated ones. */
  readonly ids: readonly number[]
  /** The number of gaps that it was told of. */
  readonly gaps: number
  /** The number of streams that it had. */
  readonly connections: number
  /** The number of goodbyes that it received. */
  readonly goodbyes: number
  stop(): Promise<void>
}

/** Follows a stream of a service from the beginning, with Last-Event-ID alone. */
export function followFeed(url: string, path = '/feed/live'): Follower {
  const aborter = new AbortController()
  const follower = { ids: [] as number[], gaps: 0, connections: 0, goodbyes: 0 }
  let lastId = '0'
  const following = follow()
  return Object.assign(follower, {
    async stop() {
      aborter.abort()
      await following
    },
  })

  async function follow(): Promise<void> {
    while (!aborter.signal.aborted) {
      try {
        await readStream()
      } catch (error) {
        if (error instanceof SyntaxError) throw error
      }
      // A short random wait: a test has no time for the seconds that `retry` asks for.
      await Bun.sleep(50 + Math.random() * 150)
    }
  }

  async function readStream(): Promise<void> {
    const headers = { Accept: 'text/event-stream', 'Last-Event-ID': lastId }
    const response = await fetch(url + path, { headers, signal: aborter.signal })
    if (response.status !== 200 || response.body === null) {
      await response.text()
      return
    }
    follower.connections += 1
    const parse = messageParser(({ comment, id, data }) => {
      if (id !== null) lastId = id
      if (comment === 'goodbye') follower.goodbyes += 1
      else if (data?.includes('class="entry gap"')) follower.gaps += 1
      else if (id !== null && data !== null) follower.ids.push(Number(id))
    })
    for await (const text of response.body.pipeThrough(new TextDecoderStream())) parse(text)
  }
}
