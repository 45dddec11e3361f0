import type { Db } from '../../src/database/db.ts'

/** A store that answers every query with this error. */
export function failingDatabase(error: unknown): Db {
  return {
    run: () => Promise.reject(error),
    migrated: Promise.resolve(),
    hearBell: () => async () => {},
    close: async () => {},
  }
}
