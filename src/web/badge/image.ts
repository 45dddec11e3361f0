import { Elysia } from 'elysia'
import type { BadgeChoice, BadgeFacts } from '../../badge/badge.ts'
import { badgeFactsOf, choiceOf, faceOf, renderBadge, usualChoice } from '../../badge/badge.ts'
import type { BadgeStatus } from '../../badge/status.ts'
import type { BadgeQuestion, BadgeReader, LatestAnswer, ReleaseAnswer } from '../../data/badges.ts'
import { usernameOf } from '../../domain/account/user.ts'
import { environmentKey, isEnvironment } from '../../domain/release.ts'
import { everything, scopeOf, targetOf } from '../../domain/target.ts'
import { Problem } from '../../http/problem.ts'
import { type OnAnswered, secondsSince } from '../../http/request-log.ts'
import { badgeHeaders, forCdn } from './headers.ts'

/** Made once: Bun copies a Headers three times as fast as an object. */
const usualHeaders = { svg: new Headers(badgeHeaders.svg), json: new Headers(badgeHeaders.json) }

type Options = {
  readonly read: BadgeReader
  readonly hasCdn?: boolean
  readonly onBadge?: ((status: BadgeStatus) => void) | undefined
  readonly onAnswered?: OnAnswered | undefined
}

const route = '/badge/:file'

/** GET /badge/<username>.svg and .json: the badge, as of the moment of the request. */
export function badge({ read, hasCdn = false, onBadge, onAnswered }: Options) {
  return new Elysia({ name: 'badge' }).decorate('startedAt', 0).get(route, async (context) => {
    const { params, query } = context
    context.startedAt = performance.now()
    const { username, format } = readFile(params.file)
    const part = readBadgePart(query)
    const question = { username, ...(part ?? { scope: everything }) }
    const choice = choiceOf(query)
    const answer = await (choice.show === 'version' ? read.release(question) : read.latest(question))
    const facts = factsOf(part, answer)
    onBadge?.(facts.status)
    if (format === 'json' && facts.status === 'Unknown')
      throw new Problem('not_found', 'No one has this username.')
    const { request, startedAt } = context
    onAnswered?.({ request, route, status: 200, seconds: secondsSince(startedAt) })
    const usual = usualHeaders[format]
    const headers = hasCdn ? forCdn(usual, facts.age === null ? null : answer.latest, answer.now) : usual
    if (format === 'svg') return new Response(renderBadge(facts, choice), { headers })
    return Response.json(badgeEndpointOf(facts, choice), { headers })
  })
}

type BadgePart = Pick<BadgeQuestion, 'scope' | 'environment'>

/** An invalid filter (null) gives Inactive; an unknown user gives Unknown whatever the filter. */
function factsOf(part: BadgePart | null, answer: LatestAnswer | ReleaseAnswer): BadgeFacts {
  if (!answer.isKnown) return { status: 'Unknown', age: null }
  if (part === null) return badgeFactsOf(null, answer.now)
  const facts = badgeFactsOf(answer.latest, answer.now)
  return 'version' in answer ? { ...facts, version: answer.version } : facts
}

function readFile(file: string): { username: string; format: keyof typeof usualHeaders } {
  const [, name = '', format = ''] = /^(.+)\.(svg|json)$/.exec(file) ?? []
  const username = usernameOf(name)
  if (username !== null) return { username, format: format === 'json' ? 'json' : 'svg' }
  throw new Problem('not_found', 'A badge has the address /badge/<username>.svg or /badge/<username>.json.')
}

/** The part that `?url=` and `?env=` select; null if one of them is invalid. */
function readBadgePart({
  url = '',
  env = '',
}: Readonly<Record<string, string | undefined>>): BadgePart | null {
  const isFiltered = url.trim() !== ''
  const target = isFiltered ? targetOf(url) : null
  if (isFiltered && target === null) return null
  const scope = scopeOf(target)
  if (env === '') return { scope }
  return isEnvironment(env) ? { scope, environment: environmentKey(env) } : null
}

/** A badge in the schema of https://shields.io/badges/endpoint-badge, from which Shields draws the same one. */
export function badgeEndpointOf(facts: BadgeFacts, choice: BadgeChoice = usualChoice) {
  const { label, word, colour } = faceOf(facts, choice)
  const isError = facts.status === 'Unknown' || facts.status === 'Unavailable'
  return { schemaVersion: 1, label, message: word, color: colour, isError }
}
