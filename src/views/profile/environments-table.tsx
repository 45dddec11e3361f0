import { Html } from '@elysiajs/html'
import type {
  BoardPart,
  BoardRow,
  ChosenProject,
  Compared,
  EnvironmentTable,
} from '../../domain/environment/board.ts'
import { Poster } from '../deployment/labels.tsx'
import { projectAddress } from '../page/address.ts'
import { Avatar } from '../parts/avatar.tsx'
import { escaped } from '../parts/markup.ts'
import { counted } from '../parts/numbers.ts'
import { forgeAndName, readableTarget } from '../parts/readable-address.ts'
import { aheadId, aheadInWords, EnvironmentTag, Live } from './board.tsx'

type TableProps = {
  table: EnvironmentTable
  now: Date
  max: number
  /** The address that the heading of a column links to. */
  toEnvironment: (environment: string) => string
  /** Whether the rows say whose they are. */
  isOfMany?: boolean
}

/** Projects in rows and environments in columns; on phones, each project with a line for each environment. */
export function EnvironmentsTable(props: TableProps): JSX.Element {
  const { table, now, max, toEnvironment, isOfMany = false } = props
  const { columns, rows } = table
  return (
    <table class="live-where">
      <thead>
        <tr>
          <th scope="col">Project</th>
          {columns.map((environment) => (
            <th scope="col">
              <EnvironmentTag environment={environment} href={toEnvironment(environment)} />
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.slice(0, max).map(({ target, poster, cells }) => (
          <tr id={escaped(`live-of-${isOfMany ? `${poster.username}/` : ''}${target}`)}>
            <th scope="row">
              <ProjectName username={poster.username} target={target} />
              {isOfMany && (
                <span class="of-user">
                  <Avatar username={poster.username} />
                  <Poster poster={poster} />
                </span>
              )}
            </th>
            {cells.map((cell, column) =>
              cell === null ? (
                <td class="none">
                  <span class="unseen">nothing</span>
                </td>
              ) : (
                <td>
                  <span class="on-phones" aria-hidden="true">
                    <span class="environment tag">{escaped(columns[column] ?? '')}</span>
                  </span>
                  <Live deployment={cell.deployment} now={now} />
                  <AheadLink {...{ cell, now }} address={projectAddress(poster.username, target)} />
                </td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

type AheadProps = { cell: BoardRow<Compared>; address: string; now: Date }

/** "3 ahead of production for 6 days", a link to which they are. */
function AheadLink({ cell: { deployment, ahead }, address, now }: AheadProps): JSX.Element {
  if (ahead === null || ahead.deployments.length === 0) return ''
  const { count, of, wait, look } = aheadInWords(ahead, now)
  return (
    <a class={['ahead-of', look]} href={escaped(`${address}#${aheadId(deployment.environment)}`)}>
      <span safe>{count}</span>{' '}
      <span class="of" safe>
        {of}
      </span>
      {wait !== '' && (
        <>
          {' '}
          <span safe>{wait}</span>
        </>
      )}
    </a>
  )
}

/** What a board of several users is restricted to: "2 projects" or the only one, and its environment. */
export function boardInWords({ projects, environment }: BoardPart): readonly string[] {
  const [only, ...others] = projects.map(chosenInWords)
  const chosen = others.length === 0 ? only : counted(projects.length, 'project')
  return [chosen, environment].filter((word) => typeof word === 'string')
}

/** "ada/github.com/ada/engine", a project of a board. */
export function chosenInWords({ username, scope }: ChosenProject): string {
  return `${username}/${readableTarget(scope)}`
}

/** The name of a project as a link, which may be broken after each of its parts. */
export function ProjectName({ username, target }: { username: string; target: string }): JSX.Element {
  const parts = forgeAndName(target).name.split(/(?<=[/.])/)
  return (
    <a class="quiet" href={escaped(projectAddress(username, target))}>
      <bdi dir="ltr">
        {parts.map((part, n) => (
          <>
            {n > 0 && <wbr />}
            {escaped(part)}
          </>
        ))}
      </bdi>
    </a>
  )
}
