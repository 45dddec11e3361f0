import type { Db } from '../../src/database/db.ts'
import { Unavailable } from '../../src/database/errors.ts'

/** The same store, which can be made to go away and come back. */
export function switchable(db: Db): { db: Db; isAway(away: boolean): void } {
  let away = false
  return {
    db: { ...db, run: (work) => (away ? Promise.reject(new Unavailable()) : db.run(work)) },
    isAway(next) {
      away = next
    },
  }
}
