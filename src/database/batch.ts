import { type Db, deadlineMs } from './db.ts'
import { Damaged, isOutage, Unavailable } from './errors.ts'

/** Answers questions together, in their order. */
type Ask<Question, Answer> = (questions: readonly Question[]) => Promise<readonly Answer[]>

/** How many statements may run at once, and how many calls each of them may carry. */
type Limits = { readonly inFlight: number; readonly batchSize: number }

/** How many different questions a function made by `share` answers at once. */
const sharedInFlight = 64

/** If this many calls are waiting, the service is overloaded, and an early 503 is better than a late one. */
const maxWaiting = 10_000

/**
 * Turns a function that answers many questions with one statement into one that answers a single question
 * (docs/architecture.md#coalescing). Each answer is read after its question was asked. `name` is for the metrics. If a
 * batch fails for a reason other than an outage, its calls are sent again one by one, so that only bad ones fail. If
 * there is an outage, the queue is full, or there is no answer after 2 s, calls get Unavailable.
 */
export function batch<Question, Answer>(
  db: Pick<Db, 'onStatement'>,
  name: string,
  ask: Ask<Question, Answer>,
  limits: Limits,
): (question: Question) => Promise<Answer> {
  const observed: Ask<Question, Answer> = async (questions) => {
    const begunAt = performance.now()
    try {
      return await ask(questions)
    } finally {
      db.onStatement?.(name, questions.length, (performance.now() - begunAt) / 1_000)
    }
  }
  return coalesce(observed, limits)
}

/**
 * Asks once for all callers that wait with the same question, compared as JSON. As in `batch`, each answer is read
 * after its question was asked.
 */
export function share<Question, Answer>(
  ask: (question: Question) => Promise<Answer>,
): (question: Question) => Promise<Answer> {
  return coalesce(
    async (alike) => {
      const answer = await ask(alike[0] as Question)
      return alike.map(() => answer)
    },
    { inFlight: sharedInFlight, batchSize: Number.POSITIVE_INFINITY },
    (question) => JSON.stringify(question),
  )
}

/** With `keyOf`, a batch holds all waiting calls of one key, and only one batch per key runs at a time. */
function coalesce<Question, Answer>(
  ask: Ask<Question, Answer>,
  { inFlight, batchSize }: Limits,
  keyOf?: (question: Question) => string,
): (question: Question) => Promise<Answer> {
  type Call = {
    readonly question: Question
    readonly key: string | undefined
    readonly resolve: (answer: Answer) => void
    readonly reject: (error: unknown) => void
    readonly until: number
  }
  let waiting: Call[] = []
  const running = new Set<readonly Call[]>()
  let isSendDue = false
  let isTimed = false

  return function call(question) {
    if (waiting.length >= maxWaiting) return Promise.reject(new Unavailable('too many calls are waiting'))
    const { promise, resolve, reject } = Promise.withResolvers<Answer>()
    const until = performance.now() + deadlineMs
    waiting.push({ question, key: keyOf?.(question), resolve, reject, until })
    // Calls are sent after the sockets have been read, so that calls that arrive together leave together.
    if (!isSendDue) setImmediate(send)
    isSendDue = true
    if (!isTimed) setTimeout(giveUp, deadlineMs)
    isTimed = true
    return promise
  }

  function send(): void {
    isSendDue = false
    while (running.size < inFlight) {
      const calls = take()
      if (calls.length === 0) return
      running.add(calls)
      void answer(calls).finally(() => {
        running.delete(calls)
        send()
      })
    }
  }

  function take(): readonly Call[] {
    if (keyOf === undefined) return waiting.splice(0, batchSize)
    const busy = [...running].map(([call]) => call?.key)
    const next = waiting.find(({ key }) => !busy.includes(key))
    const calls = waiting.filter(({ key }) => key === next?.key)
    waiting = waiting.filter(({ key }) => key !== next?.key)
    return calls
  }

  async function answer(calls: readonly Call[]): Promise<void> {
    try {
      const answers = await ask(calls.map(({ question }) => question))
      calls.forEach(({ resolve }, n) => {
        resolve(answers[n] as Answer)
      })
    } catch (error) {
      // Calls of one key are all alike, so they fail together.
      const mayBeOfOne = !isOutage(error) || error instanceof Damaged
      if (calls.length > 1 && keyOf === undefined && mayBeOfOne) {
        for (const call of calls) if (call.until > performance.now()) await answer([call])
      } else {
        for (const { reject } of calls) reject(error)
      }
    }
  }

  /** Rejects calls that are too old, and sets the timer again for the oldest remaining call. */
  function giveUp(): void {
    // Read once: a call whose time ran out between two readings would be dropped without an answer.
    const now = performance.now()
    const calls = [waiting, ...running].flat()
    for (const { until, reject } of calls) {
      if (until <= now) reject(new Unavailable('no answer within the deadline'))
    }
    waiting = waiting.filter(({ until }) => until > now)
    const ends = calls.map(({ until }) => until).filter((until) => until > now)
    isTimed = ends.length > 0
    if (isTimed) setTimeout(giveUp, Math.min(...ends) - now)
  }
}
