import { Html } from '@elysiajs/html'
import type { User } from '../../domain/account/user.ts'
import type { Category } from '../../domain/category.ts'
import { categories } from '../../domain/category.ts'
import type { Deployment } from '../../domain/deployment.ts'
import { type Project, projectOf } from '../../domain/link.ts'
import { type Count, mostCounted, type SearchQuestion } from '../../domain/search/question.ts'
import { finds, wordsIn } from '../../domain/search/words.ts'
import { scopeOf } from '../../domain/target.ts'
import { Poster, ProjectLink } from '../deployment/labels.tsx'
import { syndicationAddress } from '../page/address.ts'
import { escaped } from '../parts/escaping-and-templates.ts'
import { inDigits } from '../parts/links-and-marks.tsx'
import { readableTarget } from '../parts/readable-address.ts'

/** The query of a search in addresses: the same whether its category was typed or chosen. */
export function queryOf({ ofAnyCategory, category }: SearchQuestion) {
  return { q: ofAnyCategory, category }
}

type Props = {
  asked: SearchQuestion
  /** Null if the results were not counted. */
  count: Count | null
}

/** How a search was understood, with links to leave it or follow it. */
export function SearchSummary({ asked, count }: Props): JSX.Element {
  const feed = syndicationAddress('atom', { ...queryOf(asked), username: null, target: null })
  return (
    <p class="reading">
      <Counted count={count} category={asked.category} />
      <AskedParts asked={asked} /> · <a href="/">Clear</a> · <a href={escaped(feed)}>Follow as Atom</a>
    </p>
  )
}

/**
 * "4 bug fixes", "more than 1,000 deployments". search-field-and-count.js updates an exact number with each arrival and
 * withdrawal.
 */
function Counted({ count, category }: { count: Count | null; category: Category | null }): JSX.Element {
  const { one, many } = nounsOf(category)
  if (count === null) return <span safe>{`${many.charAt(0).toUpperCase()}${many.slice(1)}`}</span>
  const { found, isAll } = count
  const noun = found === 1 ? one : many
  if (!isAll) {
    const isMore = found > mostCounted
    return (
      <>
        {isMore ? 'More than' : 'At least'} <b safe>{inDigits(isMore ? mostCounted : found)}</b>{' '}
        <span safe>{isMore ? many : noun}</span>
      </>
    )
  }
  return (
    <>
      <b id="found" safe>
        {inDigits(found)}
      </b>{' '}
      <span id="found-noun" data-one={one} data-many={many} safe>
        {noun}
      </span>
    </>
  )
}

const mostProjects = 5

type SuggestionsProps = { asked: SearchQuestion; people: readonly User[]; deployments: readonly Deployment[] }

/** Links to people whose username begins as the search does, and to projects of the results that the search names. */
export function Suggestions({ asked, people, deployments }: SuggestionsProps): JSX.Element {
  const others = people.filter(({ username }) => username !== asked.username)
  const projects = asked.target === null ? projectsIn(deployments, asked.words) : []
  if (others.length + projects.length === 0) return ''
  return (
    <nav class="suggestions" aria-label="People and projects">
      <ul>
        <li>Go to</li>
        {others.map((poster) => (
          <li>
            <Poster poster={poster} />
          </li>
        ))}
        {projects.map(({ project, username }) => (
          <li>
            <ProjectLink project={project} username={username} />
          </li>
        ))}
      </ul>
    </nav>
  )
}

/** The projects among deployments whose name has a word of the search, each once. */
function projectsIn(deployments: readonly Deployment[], words: readonly string[]) {
  const projects = new Map<string, { project: Project; username: string }>()
  for (const { url, poster } of deployments) {
    const project = projectOf(url)
    if (
      project === null ||
      !wordsIn(project.scope).some(({ word }) => words.some((each) => finds(each, word)))
    )
      continue
    projects.set(`${poster.username} ${project.scope}`, { project, username: poster.username })
  }
  return [...projects.values()].slice(0, mostProjects)
}

type AskedProps = {
  asked: SearchQuestion
  /** The text in front of the words. */
  verb?: 'with' | 'match'
}

/** " by @ada to github.com in production with “cache” without “draft”", with only the given parts. */
export function AskedParts({ asked, verb = 'with' }: AskedProps): JSX.Element {
  const { username, target, environment, typed, without } = asked
  return (
    <>
      {username !== null && (
        <>
          {' '}
          by{' '}
          <a class="quiet" href={`/${username}`}>
            <b safe>{`@${username}`}</b>
          </a>
        </>
      )}
      {target !== null && (
        <>
          {' '}
          to <b safe>{readableTarget(scopeOf(target))}</b>
        </>
      )}
      {environment !== null && (
        <>
          {' '}
          in <b safe>{environment}</b>
        </>
      )}
      <Quoted verb={verb} typed={typed} />
      <Quoted verb="without" typed={without.typed} />
    </>
  )
}

/** " with “cache” and “login redirect”": all single words, and then each phrase. */
function Quoted({ verb, typed }: { verb: string; typed: SearchQuestion['typed'] }): JSX.Element {
  const texts = [typed.words, ...typed.phrases].filter((text) => text !== '')
  return (
    <>
      {texts.map((text, n) => (
        <>
          <span safe>{` ${n === 0 ? verb : 'and'} `}</span>
          <b safe>{`“${text}”`}</b>
        </>
      ))}
    </>
  )
}

export function nounsOf(category: Category | null): { one: string; many: string } {
  const one = category === null ? 'deployment' : categories[category]
  return { one, many: one === 'bug fix' ? 'bug fixes' : `${one}s` }
}
