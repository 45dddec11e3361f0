import { Unavailable } from './errors.ts'
import { withDeadline } from './guard.ts'

const maxUnderWay = 4
/** So many different questions may wait; beyond that an early 503 helps more than a late one. */
const maxWaiting = 1_000

type Read<Answer> = { readonly answer: Promise<Answer>; readonly begin: () => Promise<void> }

/**
 * Makes one read of many that ask the same: takes a function that answers one question, gives one whose
 * callers share a read that has not begun yet. So each answer was read after its question was asked, as
 * with coalesce; this is for what is read whole, such as a page. Questions are the same when their JSON is.
 */
export function share<Question, Answer>(
  ask: (question: Question) => Promise<Answer>,
): (question: Question) => Promise<Answer> {
  const waiting = new Map<string, Read<Answer>>()
  const underWay = new Set<string>()

  return function call(question) {
    const key = JSON.stringify(question)
    const joined = waiting.get(key)
    if (joined !== undefined) return joined.answer
    if (waiting.size >= maxWaiting) return Promise.reject(new Unavailable('too many reads are waiting'))
    const { promise, resolve, reject } = Promise.withResolvers<Answer>()
    const answer = withDeadline(promise, () => {
      if (waiting.get(key) === read) waiting.delete(key)
    })
    const read = { answer, begin: () => ask(question).then(resolve, reject) }
    waiting.set(key, read)
    // After the sockets were read, so that calls which arrive together read together.
    setImmediate(begin)
    return answer
  }

  function begin(): void {
    for (const [key, read] of waiting) {
      if (underWay.size >= maxUnderWay) return
      // One at a time: the next one is then read for all who came meanwhile, and not four for a few each.
      if (underWay.has(key)) continue
      waiting.delete(key)
      underWay.add(key)
      void read.begin().finally(() => {
        underWay.delete(key)
        begin()
      })
    }
  }
}
