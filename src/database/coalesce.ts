import { isOutage, Unavailable } from './errors.ts'
import { deadlineMs } from './guard.ts'

type Options = {
  /** How many statements may be under way at once. */
  readonly inFlight: number
  /** How many calls one statement carries at most. */
  readonly batchSize: number
}

/** Beyond this the service is overloaded, and an early 503 helps a caller more than a late one. */
const maxWaiting = 10_000

type Call<Question, Answer> = {
  readonly question: Question
  readonly resolve: (answer: Answer) => void
  readonly reject: (error: unknown) => void
  /** Whether somebody waits for the answer: what nobody waits for is not asked late. */
  isAwaited: boolean
}

/**
 * Makes one call of many: takes a function that answers a batch with one statement, gives one that
 * answers a single question. A call waits only while `inFlight` statements are under way, so each answer
 * was read after its question was asked (architecture, "Never a cache, never a query per request").
 *
 * A batch that the server refused is asked again call by call, so that one bad call fails alone. One whose
 * outcome is unknown is not: its callers get Unavailable, as do those who find the queue full or wait 2 s.
 */
export function coalesce<Question, Answer>(
  ask: (questions: readonly Question[]) => Promise<readonly Answer[]>,
  { inFlight, batchSize }: Options,
): (question: Question) => Promise<Answer> {
  const waiting = new Set<Call<Question, Answer>>()
  let underWay = 0

  return function call(question) {
    if (waiting.size >= maxWaiting) return Promise.reject(new Unavailable('too many calls are waiting'))
    const { promise, resolve, reject } = Promise.withResolvers<Answer>()
    const call = { question, resolve, reject, isAwaited: true }
    const timer = setTimeout(() => {
      call.isAwaited = false
      waiting.delete(call)
      reject(new Unavailable('no answer within the deadline'))
    }, deadlineMs)
    waiting.add(call)
    // After the sockets were read, so that calls which arrive together leave together: the embedded database
    // lets nothing else run until it has answered, and would get each call alone.
    if (waiting.size === 1) setImmediate(send)
    return promise.finally(() => clearTimeout(timer))
  }

  function send(): void {
    while (underWay < inFlight && waiting.size > 0) {
      const batch = [...waiting.values().take(batchSize)]
      for (const call of batch) waiting.delete(call)
      underWay += 1
      void answer(batch).finally(() => {
        underWay -= 1
        send()
      })
    }
  }

  async function answer(batch: readonly Call<Question, Answer>[]): Promise<void> {
    try {
      const answers = await ask(batch.map(({ question }) => question))
      batch.forEach(({ resolve }, n) => {
        resolve(answers[n] as Answer)
      })
    } catch (error) {
      if (batch.length > 1 && !isOutage(error)) {
        for (const call of batch) if (call.isAwaited) await answer([call])
      } else {
        for (const { reject } of batch) reject(error)
      }
    }
  }
}
