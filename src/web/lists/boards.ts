import { findChosen, readChosen, readNewestBoards } from '../../data/boards.ts'
import { readEnvironments } from '../../data/current.ts'
import { pageVersionReader } from '../../data/pages/page-versions.ts'
import type { Db } from '../../database/db.ts'
import { type BoardPart, environmentTable, maxChosen } from '../../domain/environment/board.ts'
import { scopeOf, targetOf } from '../../domain/target.ts'
import { Problem } from '../../http/problem.ts'
import { type QueryParameters, readFacet, usernameIn } from '../../http/query-parameters.ts'
import { projectOnBoard } from '../../views/page/address.ts'
import { findNamed } from './part.ts'

/** Only the most used environments are columns of the table: each pull request may have an environment of its own. */
const maxColumns = 8

/** Makes the function that reads the table of a user's environments, or of those in a scope. */
export function environmentsReader(db: Db) {
  const readVersion = pageVersionReader(db)

  return async ({ username, ...question }: { username: string; userId: number; scope: string | null }) => {
    // Before the rest, so that the stream continues with everything that the table may lack.
    const { now, seen } = await findNamed(username, readVersion)
    const table = environmentTable(await readEnvironments(db, question), maxColumns)
    return { table, now, seen }
  }
}

/** The same for a board of several users, with the chosen projects to which nothing was deployed. */
export async function readBoard(db: Db, board: BoardPart) {
  const { projects, environment } = board
  const { found, now, seen } = await findChosen(db, projects)
  const live = projects.length === 0 ? await readNewestBoards(db, environment) : await readChosen(db, found)
  const known = new Set(found.map(projectOnBoard))
  return {
    ...{ board, now, seen, table: environmentTable(live, maxColumns, environment) },
    missing: projects.filter((project) => !known.has(projectOnBoard(project))),
  }
}

/** `?project=`, which may be repeated, and `?env=`. Throws `bad_request`. */
export function readBoardPart(query: QueryParameters, { url }: Request): BoardPart {
  // Of a repeated parameter, `query` has only the last one.
  const given = new URLSearchParams(url.split('?')[1]).getAll('project').filter((text) => text !== '')
  if (given.length > maxChosen) {
    throw new Problem('bad_request', `A board shows up to ${maxChosen} projects: leave some of them out.`)
  }
  const projects = new Map(given.map(readProject).map((project) => [projectOnBoard(project), project]))
  return { projects: [...projects.values()], environment: readFacet(query, 'environment') }
}

/** "ada/github.com/ada/engine", as in the address of the project's page. */
function readProject(text: string) {
  const [, name = '', path = ''] = /^\/?([^/]*)\/(.*)$/s.exec(text) ?? []
  const [username, target] = [usernameIn(name), targetOf(path)]
  if (username !== null && target !== null) return { username, scope: scopeOf(target) }
  throw new Problem(
    'bad_request',
    'That is not a project. Send "project" as in the address of its page: ada/github.com/ada/engine.',
  )
}
