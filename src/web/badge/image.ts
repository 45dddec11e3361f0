import { Elysia } from 'elysia'
import type { BadgeChoice } from '../../badge/badge.ts'
import { choiceOf, defaultChoice, faceOf, renderBadge } from '../../badge/badge.ts'
import { environmentFactsOf } from '../../badge/environments.ts'
import { type BadgeFacts, badgeFactsOf } from '../../badge/facts.ts'
import type { BadgeStatus } from '../../badge/status.ts'
import type { BadgeQuestion } from '../../data/badges/asked.ts'
import type { LiveAnswer } from '../../data/badges/environments.ts'
import type { LatestAnswer } from '../../data/badges/latest.ts'
import type { BadgeReader } from '../../data/badges/reader.ts'
import type { ReleaseAnswer } from '../../data/badges/releases.ts'
import { environmentKey, isEnvironment } from '../../domain/environment/environment.ts'
import { everything, scopeOf, type Target, targetOf } from '../../domain/target.ts'
import { Problem } from '../../http/problem.ts'
import { usernameIn } from '../../http/query-parameters.ts'
import { type OnAnswered, secondsSince } from '../../http/request-log.ts'
import { badgeHeaders, forCdn } from './headers.ts'

/** Made once: Bun copies a Headers three times as fast as an object. */
const defaultHeaders = { svg: new Headers(badgeHeaders.svg), json: new Headers(badgeHeaders.json) }

type Options = {
  readonly read: BadgeReader
  readonly hasCdn?: boolean
  readonly onBadge?: ((status: BadgeStatus) => void) | undefined
  readonly onAnswered?: OnAnswered | undefined
}

/** What names a user alone, and what names a user and a project. */
const [ofUser, ofProject] = ['/badge/:file', '/badge/:file/*'] as const

type Params = { readonly file: string; readonly '*'?: string }

/** GET /badge/<username>.svg and /badge/<username>/<target>.svg, or .json: the badge, as of the moment of the request. */
export function badge({ read, hasCdn = false, onBadge, onAnswered }: Options) {
  const answer = async (context: {
    readonly params: Params
    readonly query: Query
    readonly request: Request
    startedAt: number
  }) => {
    const { params, query } = context
    context.startedAt = performance.now()
    const { username, format, project } = readFile(params)
    const choice = choiceOf(query)
    refuseContradictions(query, choice, project)
    const part = readBadgePart(query, project)
    const question = { username, ...(part ?? { scope: everything }) }
    const found = await read[answererOf(choice)](question)
    const facts = factsOf(part, found)
    onBadge?.(facts.status)
    if (format === 'json' && facts.status === 'Unknown')
      throw new Problem('not_found', 'No one has this username.')
    const { request, startedAt } = context
    const route = project === null ? ofUser : ofProject
    onAnswered?.({ request, route, status: 200, seconds: secondsSince(startedAt) })
    const usual = defaultHeaders[format]
    const headers = hasCdn ? forCdn(usual, instantsIn(facts, found), found.now) : usual
    if (format === 'svg') return new Response(renderBadge(facts, choice), { headers })
    return Response.json(badgeEndpointOf(facts, choice), { headers })
  }
  return new Elysia({ name: 'badge' }).decorate('startedAt', 0).get(ofUser, answer).get(ofProject, answer)
}

type Query = Readonly<Record<string, string | undefined>>

type BadgePart = Pick<BadgeQuestion, 'scope' | 'environment'>

function answererOf({ show, pre }: BadgeChoice): keyof BadgeReader {
  if (show === 'version') return pre ? 'newest' : 'release'
  return show === 'environments' ? 'live' : 'latest'
}

/** Throws `bad_request` for a project that is named twice, and for environments of no project or of one of them. */
function refuseContradictions(
  { url = '', env = '' }: Query,
  { show }: BadgeChoice,
  project: Target | null,
): void {
  const isFiltered = url.trim() !== ''
  if (project !== null && isFiltered)
    throw new Problem('bad_request', 'The path of this address names a project, so leave out "url".')
  if (show !== 'environments') return
  if (project === null && !isFiltered)
    throw new Problem(
      'bad_request',
      '"show=environments" needs a project, such as url=github.com/ada/engine.',
    )
  if (env !== '')
    throw new Problem('bad_request', '"show=environments" shows every environment, so leave out "env".')
}

/** The instants of the deployments whose ages a badge has. */
function instantsIn({ age, environments }: BadgeFacts, { latest }: LatestAnswer): readonly Date[] {
  if (environments !== undefined) return environments.named.map(({ deployedAt }) => deployedAt)
  return age === null || latest === null ? [] : [latest]
}

/** An invalid filter (null) gives Inactive; an unknown user gives Unknown whatever the filter. */
function factsOf(part: BadgePart | null, answer: LatestAnswer | ReleaseAnswer | LiveAnswer): BadgeFacts {
  if (!answer.isKnown) return { status: 'Unknown', age: null }
  if (part === null) return badgeFactsOf(null, answer.now)
  if ('live' in answer) return environmentFactsOf(answer.live, answer.now, answer.order)
  const facts = badgeFactsOf(answer.latest, answer.now)
  return 'version' in answer ? { ...facts, version: answer.version } : facts
}

/** Who and what an address names. Clients that are made from the OpenAPI document escape every slash of a project. */
function readFile({ file, '*': path }: Params) {
  const [, name = '', format = ''] = /^(.+)\.(svg|json)$/.exec(path ?? file) ?? []
  const username = usernameIn(path === undefined ? name : file)
  const project = path === undefined ? null : targetOf(name.includes('/') ? name : name.replace(/%2f/gi, '/'))
  if (username !== null && (path === undefined || project !== null))
    return { username, project, format: format === 'json' ? 'json' : 'svg' } as const
  throw new Problem(
    'not_found',
    'A badge has the address /badge/<username>.svg or /badge/<username>/<project>.svg, or the same with .json.',
  )
}

/** The part that a project or `?url=`, and `?env=`, select; null if one of them is invalid. */
function readBadgePart({ url = '', env = '' }: Query, project: Target | null): BadgePart | null {
  const isFiltered = url.trim() !== ''
  const target = project ?? (isFiltered ? targetOf(url) : null)
  if (isFiltered && target === null) return null
  const scope = scopeOf(target)
  if (env === '') return { scope }
  return isEnvironment(env) ? { scope, environment: environmentKey(env) } : null
}

/** A badge in the schema of https://shields.io/badges/endpoint-badge, from which Shields draws the same one. */
export function badgeEndpointOf(facts: BadgeFacts, choice: BadgeChoice = defaultChoice) {
  const { label, word, colour } = faceOf(facts, choice)
  const isError = facts.status === 'Unknown' || facts.status === 'Unavailable'
  return { schemaVersion: 1, label, message: word, color: colour, isError }
}
