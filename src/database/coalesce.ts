import { isOutage, Unavailable } from './errors.ts'
import { deadlineMs } from './guard.ts'

type Options<Question> = {
  /** How many statements may be under way at once. */
  readonly inFlight: number
  /** The most calls that one statement carries; those of one key go together, however many. */
  readonly batchSize: number
  /** If given, a statement carries calls of one key, and no second one of that key is under way meanwhile. */
  readonly keyOf?: (question: Question) => string
}

/** Beyond this the service is overloaded, and an early 503 helps callers more than a late one. */
const maxWaiting = 10_000

type Call<Question, Answer> = {
  readonly question: Question
  readonly key: string | undefined
  readonly resolve: (answer: Answer) => void
  readonly reject: (error: unknown) => void
  readonly enteredAt: number
}

/**
 * Takes a function that answers a batch with one statement, and makes one that answers a single question. A
 * call waits only while `inFlight` statements are under way, so each answer was read after its question was
 * asked (docs/architecture.md#coalescing).
 *
 * A batch that the server refused is asked again call by call, so that one bad call fails alone; calls of one
 * key are all alike and fail together. A batch whose outcome is unknown is not asked again: its callers get
 * Unavailable, as do those that find the queue full or have waited 2 s.
 */
export function coalesce<Question, Answer>(
  ask: (questions: readonly Question[]) => Promise<readonly Answer[]>,
  { inFlight, batchSize, keyOf }: Options<Question>,
): (question: Question) => Promise<Answer> {
  /** The oldest first, here and in each batch. */
  let waiting: Call<Question, Answer>[] = []
  const underWay = new Set<readonly Call<Question, Answer>[]>()
  let isSendDue = false
  let isTimed = false

  return function call(question) {
    if (waiting.length >= maxWaiting) return Promise.reject(new Unavailable('too many calls are waiting'))
    const { promise, resolve, reject } = Promise.withResolvers<Answer>()
    waiting.push({ question, key: keyOf?.(question), resolve, reject, enteredAt: performance.now() })
    // Sent once the sockets are read, so that calls which arrive together leave together: otherwise the
    // embedded database, which lets nothing else run until it has answered, would get each call alone.
    if (!isSendDue) setImmediate(send)
    isSendDue = true
    if (!isTimed) giveUpIn(deadlineMs)
    return promise
  }

  function send(): void {
    isSendDue = false
    while (underWay.size < inFlight) {
      const batch = take()
      if (batch.length === 0) return
      underWay.add(batch)
      void answer(batch).finally(() => {
        underWay.delete(batch)
        send()
      })
    }
  }

  function take(): readonly Call<Question, Answer>[] {
    if (keyOf === undefined) return waiting.splice(0, batchSize)
    const busy = [...underWay].map(([call]) => call?.key)
    const next = waiting.find(({ key }) => !busy.includes(key))
    const batch = waiting.filter(({ key }) => key === next?.key)
    waiting = waiting.filter(({ key }) => key !== next?.key)
    return batch
  }

  async function answer(batch: readonly Call<Question, Answer>[]): Promise<void> {
    try {
      const answers = await ask(batch.map(({ question }) => question))
      batch.forEach(({ resolve }, n) => {
        resolve(answers[n] as Answer)
      })
    } catch (error) {
      if (batch.length > 1 && keyOf === undefined && !isOutage(error)) {
        for (const call of batch) if (msLeft(call, performance.now()) > 0) await answer([call])
      } else {
        for (const { reject } of batch) reject(error)
      }
    }
  }

  /** One timer for all calls: gives up those that are over, and comes back for the oldest of the others. */
  function giveUp(): void {
    // One instant for all, or a call that is over in between would be dropped without a word.
    const now = performance.now()
    let nextMs = Number.POSITIVE_INFINITY
    for (const calls of [waiting, ...underWay]) {
      for (const call of calls) {
        if (msLeft(call, now) <= 0) call.reject(new Unavailable('no answer within the deadline'))
        else nextMs = Math.min(nextMs, msLeft(call, now))
      }
    }
    waiting = waiting.filter((call) => msLeft(call, now) > 0)
    isTimed = false
    if (nextMs < Number.POSITIVE_INFINITY) giveUpIn(nextMs)
  }

  function giveUpIn(milliseconds: number): void {
    isTimed = true
    setTimeout(giveUp, milliseconds)
  }
}

function msLeft({ enteredAt }: { enteredAt: number }, now: number): number {
  return enteredAt + deadlineMs - now
}
