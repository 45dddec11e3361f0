import { basePathOf } from '../../domain/base-path.ts'
import type { Deployment } from '../../domain/deployment.ts'
import type { BoardPart, ChosenProject } from '../../domain/environment/board.ts'
import { type Facets, facetQuery } from '../../domain/feed/facets.ts'
import { type TimeRange, timeQuery } from '../../domain/feed/time-range.ts'

/** A part of the feed in an address; null means no filter. */
export type PartOfFeed = {
  readonly username: string | null
  readonly target: string | null
  readonly by?: Facets
  readonly time?: TimeRange
  readonly q?: string | null | undefined
}

type Paged<Part> = Part & { readonly before?: number | null }

/** A part of a user's page. */
export type ProfileQuery = Paged<Omit<PartOfFeed, 'username' | 'q'>> & {
  /** A day in UTC, such as 2026-11-02. */
  readonly on?: string | null
  readonly year?: 'list' | null
}

type FeedQuery = Paged<Omit<PartOfFeed, 'username' | 'target'>>

export function feedAddress({ q, by, time, before }: FeedQuery): string {
  return withQuery('/', { q, ...facetQuery(by), ...timeQuery(time), before })
}

/** The page of a user, or of one thing that they deploy to. */
export function profileAddress(username: string, query: ProfileQuery): string {
  const { target, by, on, year, time, before } = query
  const path = target === null ? `/${username}` : projectAddress(username, target)
  return withQuery(path, { ...facetQuery(by), on, year, ...timeQuery(time), before })
}

/** The page of a project of a user: a target, or a wider scope of domain/target.ts. */
export function projectAddress(username: string, target: string): string {
  return `/${username}/${target.replace(/[^\w.~%$&+,:;=@/[\]-]/gu, escaped)}`
}

/** Also escapes the brackets that encodeURIComponent leaves, because they would end a link in Markdown. */
function escaped(character: string): string {
  const percents = encodeURIComponent(character)
  return percents === character ? `%${character.charCodeAt(0).toString(16)}` : percents
}

export function liveAddress({ q, username, by, target }: PartOfFeed): string {
  return withQuery('/feed/live', { q, user: username, ...facetQuery(by), target })
}

export function syndicationAddress(format: 'atom' | 'json', part: Paged<PartOfFeed>): string {
  const { username, by, q, target, time, before } = part
  const path = `${username === null ? '' : `/${username}`}/feed.${format}`
  // The address of a feed is its id, so its parameters keep their order.
  const { category, ...others } = facetQuery(by)
  return withQuery(path, { category, q, target, ...others, ...timeQuery(time), before })
}

export function deploymentAddress({ poster, id }: Deployment): string {
  return `/${poster.username}/${id}`
}

/** The parameters of a board of several users. */
export function boardQuery({ projects, environment }: BoardPart): AddressQuery {
  return { project: projects.map(projectOnBoard), env: environment }
}

/** "ada/github.com/ada/engine", a project of a board in an address. */
export function projectOnBoard({ username, scope }: ChosenProject): string {
  return `${username}/${scope}`
}

/** The stream whose deployments may change such a board. */
export function liveBoardAddress({ projects }: BoardPart): string {
  const [username = null, ...others] = new Set(projects.map((project) => project.username))
  return liveAddress({ username: others.length === 0 ? username : null, target: null })
}

export type AddressQuery = Readonly<Record<string, string | number | readonly string[] | null | undefined>>

/** A path with the parameters that have a value. */
export function withQuery(path: string, query: AddressQuery): string {
  let parameters: URLSearchParams | null = null
  for (const name in query) {
    const value = query[name]
    if (value === null || value === undefined) continue
    for (const one of Array.isArray(value) ? value : [value]) {
      parameters ??= new URLSearchParams()
      parameters.append(name, String(one))
    }
  }
  return parameters === null ? path : `${path}?${parameters}`
}

/** Matches our attributes that contain an address, up to its value. Quotes in users' texts are escaped, so they cannot match. */
const address = / (?:href|src|srcset|action|hx-get|hx-post|hx-sse:connect|data-live)="(?=\/)/g

/** Puts the path of the public address in front of each of our addresses in the markup. */
export function underBasePath(baseUrl: string, markup: JSX.Element): string {
  const path = basePathOf(baseUrl)
  return path === '' ? String(markup) : String(markup).replace(address, `$&${path}`)
}
