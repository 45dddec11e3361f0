/** How many different questions are kept. */
const mostKept = 100

/**
 * Takes a function that answers a question, and makes one that gives the same answer for some time: for what
 * many screens show and may be a moment old. Questions are the same if their JSON is. A failure is not kept.
 */
export function recently<Question, Answer>(
  forMs: number,
  ask: (question: Question) => Promise<Answer>,
): (question: Question) => Promise<Answer> {
  const kept = new Map<string, { readonly answer: Promise<Answer>; readonly until: number }>()

  return (question) => {
    const key = JSON.stringify(question)
    const known = kept.get(key)
    if (known !== undefined && performance.now() < known.until) return known.answer
    const answer = ask(question)
    kept.delete(key)
    kept.set(key, { answer, until: performance.now() + forMs })
    answer.catch(() => kept.delete(key))
    for (const oldest of kept.keys()) {
      if (kept.size <= mostKept) break
      kept.delete(oldest)
    }
    return answer
  }
}
