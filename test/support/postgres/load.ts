import type { Poster } from '../people.ts'
import type { Service } from '../service.ts'

type Door = Pick<Service, 'fetch'>

/** What posters and readers of badges met while they worked. */
export type Load = {
  /** The id of each announcement that was acknowledged, by its message. */
  readonly acknowledged: ReadonlyMap<string, number>
  /** How many badges were read, and what those said that were wrong. */
  readonly badges: number
  readonly wrong: readonly string[]
  /** Answers that are neither right nor "unavailable" with the time to come back. */
  readonly unexpected: readonly string[]
  readonly slowestMs: number
  /** Ends when everything that was begun is acknowledged. */
  stop(): Promise<void>
}

const writers = 8
const readers = 4
const pauseMs = 20
const unknown = 'No one has this username.'

/**
 * Announces with keys, retrying each thing at one process or another until it is acknowledged, and then asks another
 * process for its badge. Also asks all processes for other badges.
 */
export function startLoad(doors: readonly Door[], posters: readonly Poster[]): Load {
  const acknowledged = new Map<string, number>()
  const load = { acknowledged, badges: 0, wrong: [] as string[], unexpected: [] as string[], slowestMs: 0 }
  let isOver = false
  const working = [
    ...Array.from({ length: writers }, (_, writer) => write(writer)),
    ...Array.from({ length: readers }, (_, reader) => read(reader)),
  ]
  return Object.assign(load, {
    async stop() {
      isOver = true
      await Promise.all(working)
    },
  })

  async function write(writer: number): Promise<void> {
    for (let n = 0; !isOver; n += 1) {
      const poster = posters[(writer + n) % posters.length] as Poster
      const message = `${poster.username}-${writer}-${n}`
      const url = `https://${message}.example/`
      while (!acknowledged.has(message)) {
        const answer = await answerOf(poster.announce({ message, url }, { 'Idempotency-Key': message }), 201)
        if (answer !== null) acknowledged.set(message, answer.id)
      }
      await look(writer + n + 1, `${poster.username}.json?url=${encodeURIComponent(url)}`, 'Fresh')
      await Bun.sleep(pauseMs)
    }
  }

  async function read(reader: number): Promise<void> {
    for (let n = 0; !isOver; n += 1) {
      await look(reader + n, `nobody-${reader}-${n}.json`, unknown)
      await Bun.sleep(pauseMs)
    }
  }

  async function look(n: number, badge: string, expected: string): Promise<void> {
    const door = doors[n % doors.length] as Door
    const answer = await answerOf(door.fetch(`/badge/${badge}`), expected === unknown ? 404 : 200)
    if (answer === null) return
    load.badges += 1
    if (answer.message !== expected) load.wrong.push(`${badge}: ${answer.message}`)
  }

  /** The body of an answer with this status, or null where it is "unavailable"; nothing else may happen. */
  async function answerOf(
    asked: Promise<Response>,
    status: number,
  ): Promise<{ id: number; message: string } | null> {
    const begunAt = performance.now()
    const response = await asked
    const body = (await response.json()) as { id: number; message: string }
    load.slowestMs = Math.max(load.slowestMs, performance.now() - begunAt)
    if (response.status === status) return body
    if (response.status !== 503 || response.headers.get('retry-after') === null) {
      load.unexpected.push(`${response.status} ${JSON.stringify(body)}`)
    }
    await Bun.sleep(pauseMs)
    return null
  }
}
