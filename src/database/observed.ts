import type { Db } from './db.ts'

type Ask<Question, Answer> = (questions: readonly Question[]) => Promise<readonly Answer[]>

/**
 * Tells how many calls each statement answers together, and how long it takes, under a name; where nobody
 * hears it, this is the function itself.
 */
export function observed<Question, Answer>(
  { onStatement }: Db,
  name: string,
  ask: Ask<Question, Answer>,
): Ask<Question, Answer> {
  if (onStatement === undefined) return ask

  return async (questions) => {
    const begunAt = performance.now()
    try {
      return await ask(questions)
    } finally {
      onStatement(name, questions.length, (performance.now() - begunAt) / 1_000)
    }
  }
}
