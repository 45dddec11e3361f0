import { Html } from '@elysiajs/html'
import type { User } from '../../domain/account/user.ts'
import type { BoardPart, ChosenProject } from '../../domain/environment/board.ts'
import { environmentKey } from '../../domain/environment/environment.ts'
import { boardQuery, liveAddress, liveBoardAddress, withQuery } from '../../views/page/address.ts'
import type { PageProps } from '../../views/page/site.ts'
import type { PageSlots, SiteTab } from '../../views/page/slots.ts'
import { environmentAddress } from '../../views/profile/board.tsx'
import { boardInWords, chosenInWords } from '../../views/profile/environments-table.tsx'
import { type BoardFacts, BoardPage } from './board.tsx'
import { ProjectChoice } from './choice.tsx'

/** The page of what is live in each environment of a user's projects. No host is called "-". */
function environmentsAddress(username: string): string {
  return `/${username}/-/environments`
}

/** The page of what is live where, of everyone. */
const boardOfAll: SiteTab = { name: 'Environments', address: '/environments' }

function boardAddress(part: BoardPart): string {
  return withQuery(boardOfAll.address, boardQuery(part))
}

/** The ways to the pages: of everyone, and of a user with several environments. */
export const environmentsLinks: PageSlots = {
  tabs: [boardOfAll],
  otherForms: ({ q }) => (q === undefined ? <a href={boardOfAll.address}>Environments</a> : ''),
  underProjects: (username, environments) =>
    environments.length < 2 ? (
      ''
    ) : (
      <p class="by-environment">
        <a href={environmentsAddress(username)}>What is live in each environment</a>
      </p>
    ),
}

type UserProps = PageProps & BoardFacts & { user: User }

export function EnvironmentsPage({ user, ...props }: UserProps): JSX.Element {
  const { username, name } = user
  return (
    <BoardPage
      {...props}
      title={`Environments of ${name}`}
      description={`What is live in each environment of the projects of ${name}.`}
      address={environmentsAddress(username)}
      user={user}
      live={liveAddress({ username, target: null })}
      toEnvironment={(environment) => environmentAddress(username, null, environment)}
      whose={{ user: username }}
    />
  )
}

type AllProps = PageProps & BoardFacts & { board: BoardPart; missing: readonly ChosenProject[] }

/** What is live where, of everyone or of the chosen projects. */
export function AllEnvironmentsPage({ board, missing, ...props }: AllProps): JSX.Element {
  const { projects } = board
  const chosen = boardInWords(board)
  return (
    <BoardPage
      {...props}
      title="Environments"
      description="What is live in each environment of the projects that were deployed to last."
      address={boardAddress(board)}
      current={boardOfAll}
      user={null}
      live={liveBoardAddress(board)}
      toEnvironment={(name) => boardAddress({ projects, environment: environmentKey(name) })}
      whose={boardQuery(board)}
      empty={
        chosen.length > 0 ? 'Nothing is live here yet. The next deployment will appear here.' : undefined
      }
    >
      {chosen.length > 0 && (
        <p class="active-target">
          Only <strong safe>{chosen.join(' in ')}</strong>. <a href={boardOfAll.address}>Show all</a>
        </p>
      )}
      {missing.length > 0 && (
        <p class="hint" safe>
          {`Nothing was ever deployed to ${missing.map(chosenInWords).join(', ')}.`}
        </p>
      )}
      <ProjectChoice {...{ board }} table={props.table} address={boardOfAll.address} />
    </BoardPage>
  )
}
