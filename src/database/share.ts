import { coalesce } from './coalesce.ts'

/** So many different pages; those that are asked for most are read in few statements (data/profiles.ts). */
const inFlight = 64

/**
 * Takes a function that answers one question, and makes one whose callers share a read that has not begun
 * yet. So each answer was read after its question was asked, as with coalesce; this is for what is read
 * whole, such as a page. Questions are the same if their JSON is.
 */
export function share<Question, Answer>(
  ask: (question: Question) => Promise<Answer>,
): (question: Question) => Promise<Answer> {
  return coalesce(
    async (alike) => {
      const answer = await ask(alike[0] as Question)
      return alike.map(() => answer)
    },
    { inFlight, batchSize: Number.POSITIVE_INFINITY, keyOf: (question) => JSON.stringify(question) },
  )
}
