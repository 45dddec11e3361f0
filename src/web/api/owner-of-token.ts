import { hashSecret } from '../../data/account/secret.ts'
import { ownTokensReader, type TokenOwner } from '../../data/account/tokens.ts'
import { refusalRecorder } from '../../data/refusals.ts'
import type { Db } from '../../database/db.ts'
import { tokensIn } from '../../domain/account/token.ts'
import { Problem } from '../../http/problem.ts'
import { errorFacts, type Log } from '../../log/log.ts'

/**
 * Makes the function that finds the valid tokens of an owner in texts, which must not become public. Few calls
 * contain any, so few query the database.
 */
export function ownTokensFinder(db: Db) {
  const read = ownTokensReader(db)
  return async (values: readonly unknown[], owner: TokenOwner): Promise<string[]> => {
    const tokens = values.filter((value) => typeof value === 'string').flatMap(tokensIn)
    if (tokens.length === 0) return []
    const own = await read({ ...owner, hashes: tokens.map(hashSecret) })
    return tokens.filter((token) => own.includes(hashSecret(token)))
  }
}

/**
 * Makes the function that shows a refusal to the owner of the token; `source` identifies the pipeline. The answer
 * neither waits for this nor fails with it.
 */
export function refusalsToOwner(db: Db, log: Log) {
  const record = refusalRecorder(db)
  return (tokenHash: string, problem: Problem, source: string | null): void => {
    const { status } = problem
    record({ tokenHash, status, reason: reasonOf(problem), source }).catch((error) =>
      log('refusal_lost', { status, ...errorFacts(error) }),
    )
  }
}

/** Throws the problem of a token that may not do what was asked, if there is a reason. */
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
