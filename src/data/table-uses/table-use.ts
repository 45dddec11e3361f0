import type { SQL } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { ColumnRules } from './column-rules.ts'

/**
 * What a dump, a restore, an export and the deletion of an account do with a table. Those that are filled again after a
 * restore, such as by triggers, have none.
 */
export type TableUse = InDumps & (OfUsers | OfNobody)

type InDumps = {
  readonly table: PgTable
  /**
   * What a restore checks beyond the types of columns. A text of ours, or of a caller, has a bound; one of a user, the
   * rules of its form.
   */
  readonly rules?: ColumnRules
}

type OfUsers = {
  readonly table: PgTable & { readonly userId: PgColumn }
  /** Its list in the export of an account. */
  readonly section?: ExportSection
  /**
   * When its rows go if their account is deleted: at once, because they give access or send something, or in chunks in
   * the background, because there may be many. Without it they go with the row of the user.
   */
  readonly deletion?: 'at once' | 'in chunks'
  /** What its rows, which work without a password and a session, are called in a list of all that does. */
  readonly access?: { readonly name: string; readonly place: number }
  /** The statement that pauses what rows of these users send. */
  readonly pausing?: (ofThese: SQL, because: string) => SQL
  /** Takes an actor, in the form of caselessKey, out of its rows, and selects how many it `paused` for that. */
  readonly forgetting?: (actor: string) => SQL
  /** When a pipeline used a row last, which the operator sees. */
  readonly usedAt?: PgColumn
}

type OfNobody = { readonly [Use in Exclude<keyof OfUsers, 'table'>]?: never }

/** A list of an export, without secrets. */
type ExportSection = {
  readonly name: string
  /** Sections stand in the order of these numbers, and not in that of a dump. */
  readonly place: number
  /** Columns or expressions by their names in the export. */
  readonly columns: Readonly<Record<string, PgColumn | SQL>>
  readonly order?: PgColumn | SQL
}
