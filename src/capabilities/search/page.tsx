import { Html } from '@elysiajs/html'
import type { User } from '../../domain/account/user.ts'
import { type Category, categories } from '../../domain/category.ts'
import type { Deployment } from '../../domain/deployment.ts'
import { facets, facetsOfMany, ofFewValues } from '../../domain/feed/facets.ts'
import { isBounded, type TimeRange } from '../../domain/feed/time-range.ts'
import { type Project, projectOf } from '../../domain/link.ts'
import { scopeOf } from '../../domain/target.ts'
import { Poster, ProjectLink } from '../../views/deployment/labels.tsx'
import { ListTop } from '../../views/feed/feed-page.tsx'
import { ActiveTime, CategoryFilter } from '../../views/feed/filters.tsx'
import { DeploymentList, LiveList, NewerDeployments, type PageOfList } from '../../views/feed/list.tsx'
import { LiveState } from '../../views/feed/live.tsx'
import { feedAddress, liveAddress } from '../../views/page/address.ts'
import { Layout } from '../../views/page/layout.tsx'
import type { PageProps } from '../../views/page/site.ts'
import { escaped } from '../../views/parts/markup.ts'
import { inDigits } from '../../views/parts/numbers.ts'
import { readableTarget } from '../../views/parts/readable-address.ts'
import { Day } from '../../views/parts/time-element.tsx'
import { SearchForm } from './form.tsx'
import { hasFound, lookOfFound } from './marks.ts'
import { NothingFound } from './nothing-found.tsx'
import { type Count, maxCounted, type SearchQuestion } from './question.ts'

type ListProps = PageOfList & { asked: SearchQuestion; time: TimeRange; reached: Date | null }

type Props = PageProps &
  ListProps & {
    /** Null on an older page, and if nothing was counted. */
    count: Count | null
    people: readonly User[]
    /** Whether the user that was searched for exists. */
    isKnown: boolean
    /** When the newest deployment that cannot be searched yet was announced; null if all can be. */
    unindexed: Date | null
    before: number | null
  }

export function SearchPage(props: Props): JSX.Element {
  const { site, viewer, asked, time, deployments, unindexed, before, seen } = props
  const part = partOf(asked)
  const address = feedAddress({ ...part, time })
  const isOlder = before !== null
  return (
    <Layout
      {...{ site, viewer }}
      title={`${asked.text} · Search`}
      current="feed"
      feeds={part}
      head={<meta name="robots" content="noindex" />}
      list={props}
    >
      <ListTop {...{ site, viewer, isOlder }}>
        {isOlder ? (
          <NewerDeployments address={address} text="Newest deployments" />
        ) : (
          seen !== null && <LiveState />
        )}
      </ListTop>
      <div class="find">
        <SearchForm asked={asked} by={asked.by} />
        <CategoryFilter by={asked.by} href={(by) => feedAddress({ q: asked.ofAnyCategory, by, time })} />
      </div>
      <div id="results">
        {isBounded(time) && <ActiveTime time={time} all={feedAddress(part)} />}
        {deployments.length > 0 ? (
          <SearchSummary {...props} />
        ) : (
          <NothingFound {...props} noun={nounsOf(asked.by.category).many}>
            <AskedParts asked={asked} verb="match" />
          </NothingFound>
        )}
        {!isOlder && <Suggestions {...props} />}
        <LiveList live={seen === null ? null : liveAddress(part)} address={address} isSearch>
          <SearchList {...props} />
        </LiveList>
        {unindexed !== null && (
          <p class="hint unindexed">
            Deployments up to <Day instant={unindexed} /> can’t be searched yet.
          </p>
        )}
      </div>
    </Layout>
  )
}

export function SearchList({ asked, time, ...list }: ListProps): JSX.Element {
  const href = (before: number) => feedAddress({ ...partOf(asked), time, before })
  return <DeploymentList {...list} look={lookOfFound(asked)} href={href} isSearch />
}

/** The part of the feed in addresses: the same whether the category was typed or chosen. */
function partOf({ ofAnyCategory, by }: SearchQuestion) {
  return { q: ofAnyCategory, by: ofFewValues(by), username: null, target: null }
}

/** How a search was understood, with links to leave it or follow it. */
export function SearchSummary({ site, asked, count }: Pick<Props, 'site' | 'asked' | 'count'>): JSX.Element {
  return (
    <p class="reading">
      <span class="said">
        <Counted count={count} category={asked.by.category} />
        <AskedParts asked={asked} />
      </span>{' '}
      · <a href="/">Clear</a>
      {site.slots.afterSearch(partOf(asked))}
    </p>
  )
}

/** "4 bug fixes", "1,000+ deployments". search-form.js keeps an exact number current. */
function Counted({ count, category }: { count: Count | null; category: Category | undefined }): JSX.Element {
  const { one, many } = nounsOf(category)
  if (count === null) return <span safe>{`${many.charAt(0).toUpperCase()}${many.slice(1)}`}</span>
  const { found, isAll } = count
  const noun = found === 1 ? one : many
  if (isAll) {
    return (
      <>
        <b id="found">{escaped(inDigits(found))}</b>{' '}
        <span id="found-noun" data-one={one} data-many={many} safe>
          {noun}
        </span>
      </>
    )
  }
  return (
    <>
      <b safe>{`${inDigits(Math.min(found, maxCounted))}+`}</b> <span safe>{many}</span>
    </>
  )
}

const maxProjects = 5

/** Links to people whose username begins as the search does, and to projects of the results that the search names. */
function Suggestions({ asked, people, deployments }: Props): JSX.Element {
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
        {projects.map((project) => (
          <li>
            <ProjectLink {...project} />
          </li>
        ))}
      </ul>
    </nav>
  )
}

/** The projects among deployments whose name has a word of the search, each once. */
function projectsIn(deployments: readonly Deployment[], words: readonly string[]) {
  const projects = new Map<string, { project: Project; username: string }>()
  for (const deployment of deployments) {
    const { username } = deployment.poster
    const project = projectOf(deployment)
    if (project === null || !hasFound(project.scope, words)) continue
    projects.set(`${username} ${project.scope}`, { project, username })
  }
  return [...projects.values()].slice(0, maxProjects)
}

/** " by @ada to github.com in production with “cache” without “draft”"; `verb` is in front of the words. */
function AskedParts(props: { asked: SearchQuestion; verb?: 'with' | 'match' }): JSX.Element {
  const { username, target, by, typed, without } = props.asked
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
      {target !== null && <Part word="to" text={readableTarget(scopeOf(target))} />}
      {facetsOfMany.map((facet) => {
        const value = by[facet]
        return value === undefined ? '' : <Part word={facets[facet].preposition.search} text={value} />
      })}
      <Quoted verb={props.verb ?? 'with'} typed={typed} />
      <Quoted verb="without" typed={without.typed} />
    </>
  )
}

function Part({ word, text }: { word: string; text: string }): JSX.Element {
  return ` ${word} ${<b safe>{text}</b>}`
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

function nounsOf(category: Category | undefined): { one: string; many: string } {
  const one = category === undefined ? 'deployment' : categories[category]
  return { one, many: one === 'bug fix' ? 'bug fixes' : `${one}s` }
}
