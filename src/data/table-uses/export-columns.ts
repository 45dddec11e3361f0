import { getTableColumns, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Verification } from '../../domain/deployment.ts'

/** What an identity proved, as the export has it. */
export const verifiedAsObject = sql<Verification | null>`
  case when verified is not null
    then json_build_object('issuer', verified[1], 'repository', verified[2], 'workflow', verified[3]) end`

/** Columns of a table by their names in the database, which are those of the export. */
export function columnsOf(table: PgTable, names: string): Record<string, PgColumn> {
  const columns: Record<string, PgColumn> = getTableColumns(table)
  return Object.fromEntries(
    names.split(' ').map((name) => {
      const column = columns[name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())]
      if (column === undefined) throw new Error(`the export has no column ${name}`)
      return [name, column]
    }),
  )
}
