import { Html } from '@elysiajs/html'
import type { BoardPart, EnvironmentTable } from '../../domain/environment/board.ts'
import { environmentKey } from '../../domain/environment/environment.ts'
import { boardQuery, liveAddress, liveBoardAddress, type PartOfFeed } from '../../views/page/address.ts'
import { environmentAddress } from '../../views/profile/board.tsx'
import { boardInWords, EnvironmentsTable } from '../../views/profile/environments-table.tsx'
import { type MomentProps, partInWords, WallFrame } from './frame.tsx'
import { environmentsWallAddress, wallViews } from './links.tsx'

/** How many projects the table has; the stylesheet hides those for which there is no room. */
const maxRows = 10

type EnvironmentsWallProps = MomentProps & { table: EnvironmentTable } & (
    | { part: PartOfFeed & { username: string } }
    | { board: BoardPart }
  )

/** A wallboard of a user's environments, or of a board of several users. */
export function EnvironmentsWall({ table, ...props }: EnvironmentsWallProps): JSX.Element {
  const { site, now, seen } = props
  const shown = 'board' in props ? ofBoard(props.board) : ofUser(props.part)
  const { whose, toEnvironment, isOfMany, of, live } = shown
  return (
    <WallFrame
      {...{ site, now, seen, live, of }}
      view={wallViews.environments}
      address={environmentsWallAddress(whose)}
    >
      <section class="wall-environments" id="wall-side" aria-label="Environments">
        {table.rows.length > 0 ? (
          <EnvironmentsTable {...{ table, now, toEnvironment, isOfMany }} max={maxRows} />
        ) : (
          <p class="wall-empty">
            Nothing is live here yet. A deployment with an environment and a link or project will appear here.
          </p>
        )}
      </section>
    </WallFrame>
  )
}

function ofUser(part: PartOfFeed & { username: string }) {
  const { username, target } = part
  return {
    ...{ of: partInWords(part), live: liveAddress(part), isOfMany: false, whose: { user: username, target } },
    toEnvironment: (environment: string) => environmentAddress(username, null, environment),
  }
}

function ofBoard(board: BoardPart) {
  const { projects } = board
  return {
    ...{ of: boardInWords(board), live: liveBoardAddress(board), isOfMany: true, whose: boardQuery(board) },
    toEnvironment: (name: string) =>
      environmentsWallAddress(boardQuery({ projects, environment: environmentKey(name) })),
  }
}
