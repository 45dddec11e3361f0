import type { Db } from '../../src/database/db.ts'

/** A store that is not there: every use of it is this function's, which throws. */
export function standInDatabase(use: () => never): Db {
  return {
    run: async () => use(),
    migrated: Promise.resolve(),
    hearBell: () => async () => {},
    close: async () => {},
  }
}
