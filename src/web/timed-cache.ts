const maxKept = 100

/**
 * Caches the answers of a function for some time, failures included. Questions are equal if their JSON is. For
 * the tally above the feed and for the wall: badges, feeds and other pages are never cached.
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
    for (const oldest of kept.keys()) {
      if (kept.size <= maxKept) break
      kept.delete(oldest)
    }
    return answer
  }
}
