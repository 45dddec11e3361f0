import { readEnvironments } from '../../data/current.ts'
import { pageVersionReader } from '../../data/pages/page-versions.ts'
import type { Db } from '../../database/db.ts'
import { environmentTable } from '../../domain/environments.ts'
import { findNamed } from './part.ts'

/** Only the most used environments are columns of the table: each pull request may have an environment of its own. */
const mostColumns = 8

type Question = { readonly username: string; readonly userId: number; readonly scope: string | null }

/** Makes the function that reads the table of a user's environments, and its moment. */
export function environmentsReader(db: Db) {
  const readVersion = pageVersionReader(db)

  return async ({ username, ...question }: Question) => {
    // Before the rest, so that the stream continues with everything that the table may lack.
    const { now, seen } = await findNamed(username, readVersion)
    const table = environmentTable(await readEnvironments(db, question), mostColumns)
    return { table, now, seen }
  }
}
