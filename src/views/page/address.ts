import { basePathOf } from '../../domain/base-path.ts'
import type { Category } from '../../domain/category.ts'
import type { Deployment } from '../../domain/deployment.ts'

/** A part of the feed in an address; null means no filter. */
export type PartOfFeed = {
  readonly username: string | null
  readonly category: Category | null
  readonly target: string | null
  /** In the form in which environments are compared. */
  readonly environment?: string | null
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

export function liveAddress({ q, username, category, environment, target }: PartOfFeed): string {
  return withQuery('/feed/live', { q, user: username, category, env: environment, target })
}

export function wallAddress(part: PartOfFeed, view?: string): string {
  const { username, target, category, environment } = part
  return withQuery('/wall', { view, user: username, target, category, env: environment })
}

export function syndicationAddress(format: 'atom' | 'json', part: Paged<PartOfFeed>): string {
  const { username, environment, before, ...query } = part
  const path = `${username === null ? '' : `/${username}`}/feed.${format}`
  return withQuery(path, { ...query, env: environment, before })
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
const address = / (?:href|src|srcset|action|hx-get|hx-post|hx-sse:connect|data-live)="(?=\/)/g

/** Puts the path of the public address in front of each of our addresses in the markup. */
export function underBasePath(baseUrl: string, markup: JSX.Element): string {
  const path = basePathOf(baseUrl)
  return path === '' ? String(markup) : String(markup).replace(address, `$&${path}`)
}
