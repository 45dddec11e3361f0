import { basePathOf } from '../../domain/base-path.ts'
import type { Category } from '../../domain/category.ts'
import type { Deployment } from '../../domain/deployment.ts'

type FeedQuery = {
  /** The words of a search. */
  readonly q?: string | null | undefined
  readonly category: Category | null
  /** In the form in which environments are compared. */
  readonly environment?: string | null
  readonly before?: number | null
}

export type ProfileQuery = Omit<FeedQuery, 'q'> & {
  /** Null for everything that a user deploys to. */
  readonly target: string | null
  /** A day in UTC, such as 2026-11-02. */
  readonly on?: string | null
  /** Whether the days of the year are listed. */
  readonly year?: 'list' | null
}

export function feedAddress({ q, category, environment, before }: FeedQuery): string {
  return withQuery('/', { q, category, env: environment, before })
}

/** The page of a user, or of one thing that they deploy to. */
export function profileAddress(username: string, query: ProfileQuery): string {
  const { target, category, environment, on, year, before } = query
  const path = target === null ? `/${username}` : projectAddress(username, target)
  return withQuery(path, { category, env: environment, on, year, before })
}

/** The page of a project of a user: a target, or a wider scope of domain/target.ts. */
export function projectAddress(username: string, target: string): string {
  return `/${username}/${target.replace(/[^\w.~%$&+,:;=@/[\]-]/gu, escaped)}`
}

/** The page of what is live in each environment of a user's projects. No host is called "-". */
export function environmentsAddress(username: string): string {
  return `/${username}/-/environments`
}

/** Also escapes the brackets that encodeURIComponent leaves, because they would end a link in Markdown. */
function escaped(character: string): string {
  const percents = encodeURIComponent(character)
  return percents === character ? `%${character.charCodeAt(0).toString(16)}` : percents
}

type LiveQuery = {
  readonly q?: string
  readonly username?: string | null
  readonly category: Category | null
  readonly environment?: string | null
  readonly target?: string | null
}

/** The address of a list's live stream. */
export function liveAddress({ q, username, category, environment, target }: LiveQuery): string {
  return withQuery('/feed/live', { q, user: username, category, env: environment, target })
}

/** The part of the feed that a wallboard shows; null means no filter. */
export type WallPart = {
  readonly username: string | null
  readonly category: Category | null
  readonly target: string | null
  readonly environment: string | null
}

export function wallAddress({ username, target, category, environment }: WallPart, view?: string): string {
  return withQuery('/wall', { view, user: username, target, category, env: environment })
}

export type SyndicationQuery = {
  readonly q?: string | null | undefined
  /** Null for the deployments of all users. */
  readonly username: string | null
  readonly category: Category | null
  readonly target: string | null
  readonly environment?: string | null
  readonly before?: number | null
}

/** The address of a list for feed readers, as Atom or JSON Feed. */
export function syndicationAddress(
  format: 'atom' | 'json',
  { username, environment, before, ...query }: SyndicationQuery,
): string {
  return withQuery(`${username === null ? '' : `/${username}`}/feed.${format}`, {
    ...query,
    env: environment,
    before,
  })
}

export function deploymentAddress({ poster, id }: Deployment): string {
  return `/${poster.username}/${id}`
}

function withQuery(
  path: string,
  query: Readonly<Record<string, string | number | null | undefined>>,
): string {
  let parameters: URLSearchParams | null = null
  for (const name in query) {
    const value = query[name]
    if (value === null || value === undefined) continue
    parameters ??= new URLSearchParams()
    parameters.set(name, String(value))
  }
  return parameters === null ? path : `${path}?${parameters}`
}

/** Matches our attributes that contain an address, up to its value. Quotes in users' texts are escaped, so they cannot match. */
const address = / (?:href|src|action|hx-get|hx-post|hx-sse:connect|data-live)="(?=\/)/g

/** Puts the path of the public address in front of each of our addresses in the markup. */
export function underBasePath(baseUrl: string, markup: JSX.Element): string {
  const path = basePathOf(baseUrl)
  return path === '' ? String(markup) : String(markup).replace(address, `$&${path}`)
}
