import type { Poster } from '../people.ts'
import type { Service } from '../service.ts'

export type Visitors = {
  /** What was announced, each under itself as its key. */
  readonly keys: readonly string[]
  /** "announcement 201", "reading 200", or what they got instead. */
  readonly answers: readonly string[]
  stop(): Promise<void>
}

/** That many visitors of a door, each of whom announces with a key and reads in turn, one request after the other. */
export function visit(
  door: Pick<Service, 'fetch'>,
  poster: Poster,
  { count, pauseMs = 0 }: { count: number; pauseMs?: number },
): Visitors {
  const keys: string[] = []
  const answers: string[] = []
  let isOver = false
  const visiting = Array.from({ length: count }, async (_, visitor) => {
    for (let n = 0; !isOver; n += 1) {
      const key = `${visitor}-${n}`
      const isPost = n % 2 === 0
      if (isPost) keys.push(key)
      const asked = isPost
        ? poster.announce({ message: key }, { 'Idempotency-Key': key })
        : door.fetch(n % 4 === 1 ? '/' : `/badge/${poster.username}.svg`)
      const response = await asked.catch(() => null)
      await response?.body?.cancel()
      answers.push(`${isPost ? 'announcement' : 'reading'} ${response?.status ?? 'failed'}`)
      await Bun.sleep(pauseMs)
    }
  })
  return {
    keys,
    answers,
    async stop() {
      isOver = true
      await Promise.all(visiting)
    },
  }
}

/** Those answers of visitors that they should not have got. */
export function failuresOf({ answers }: Visitors): readonly string[] {
  return answers.filter((answer) => answer !== 'announcement 201' && answer !== 'reading 200')
}
