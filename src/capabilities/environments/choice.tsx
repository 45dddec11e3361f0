import { Html } from '@elysiajs/html'
import { type BoardPart, type EnvironmentTable, maxChosen } from '../../domain/environment/board.ts'
import { projectOnBoard } from '../../views/page/address.ts'
import { escaped } from '../../views/parts/markup.ts'
import { forgeAndName } from '../../views/parts/readable-address.ts'

type Props = { table: EnvironmentTable; board: BoardPart; address: string }

/** A form that leads to the board of only the projects that are ticked in it. */
export function ProjectChoice({ table, board, address }: Props): JSX.Element {
  if (table.rows.length < 2) return ''
  const chosen = new Set(board.projects.map(projectOnBoard))
  return (
    <details class="fold">
      <summary>Choose projects</summary>
      <form class="stack" method="get" action={address}>
        <fieldset class="choices">
          <legend>{`Up to ${maxChosen} projects`}</legend>
          {table.rows.map(({ target, poster }, n) => {
            const project = projectOnBoard({ username: poster.username, scope: target })
            return (
              <div class="choice">
                <input
                  type="checkbox"
                  id={`project-${n}`}
                  name="project"
                  value={escaped(project)}
                  checked={chosen.has(project)}
                  autocomplete="off"
                />
                <label for={`project-${n}`}>
                  <bdi dir="ltr">{escaped(forgeAndName(target).name)}</bdi>
                  {' by '}
                  <bdi safe>{poster.name}</bdi>
                </label>
              </div>
            )
          })}
        </fieldset>
        {board.environment !== null && <input type="hidden" name="env" value={escaped(board.environment)} />}
        <button type="submit">Show only these</button>
      </form>
    </details>
  )
}
