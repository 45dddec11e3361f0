import { refusalRecorder } from '../../data/refused-calls.ts'
import type { Db } from '../../database/db.ts'
import { Problem } from '../../http/problem.ts'
import { errorFacts, type Log } from '../../log/log.ts'

type Caller = { readonly tokenHash: string } | { readonly publisherId: number }

/** Shows refusals to the owners of tokens and publishers. The answer neither waits for this nor fails with it. */
export function refusalsToOwner(db: Db, log: Log) {
  const record = refusalRecorder(db)
  return (caller: Caller, problem: Problem, source: string | null): void => {
    const { status } = problem
    record({ ...caller, status, reason: reasonOf(problem), source }).catch((error) =>
      log('refusal_lost', { status, ...errorFacts(error) }),
    )
  }
}

/** Throws the problem of a token that may not do what was asked. */
export function refuse(reason: string | null): void {
  if (reason !== null) throw new Problem('forbidden', reason)
}

/** The names of the fields and the reasons, without values. */
function reasonOf({ message, details }: Problem): string {
  if (details === undefined) return message
  return Object.entries(details)
    .map(([field, reasons]) => `${field} ${reasons.join(', ')}`)
    .join('; ')
}
