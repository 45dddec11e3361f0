import { Elysia } from 'elysia'
import { renderBadge } from '../../badge/badge.ts'
import { choiceOf } from '../../badge/choice.ts'
import { endpointOf } from '../../badge/endpoint.ts'
import type { BadgeFacts } from '../../badge/face.ts'
import type { BadgeStatus } from '../../badge/status.ts'
import { secondsUnchanged } from '../../badge/unchanged.ts'
import type { LatestAnswer } from '../../data/latest-deployments.ts'
import type { BadgeQuestion } from '../../data/latest-in-environment.ts'
import { usernameOf } from '../../domain/account/username.ts'
import { freshnessOf } from '../../domain/freshness.ts'
import { environmentKey, isEnvironment } from '../../domain/release.ts'
import { everything, scopeOf, targetOf } from '../../domain/target.ts'
import { ageInWords, shortAge } from '../../domain/time.ts'
import { type OnAnswered, secondsSince } from '../../http/log/answered.ts'
import { Problem } from '../../http/problem.ts'
import { badgeJsonHeaders, badgeSvgHeaders, forCdn } from './headers.ts'

/** Made once: Bun copies Headers in a third of the time that it takes to read an object. */
const svgHeaders = new Headers(badgeSvgHeaders)
const jsonHeaders = new Headers(badgeJsonHeaders)

type Options = {
  readonly readLatest: (question: BadgeQuestion) => Promise<LatestAnswer>
  /** Whether a CDN is told for how long a badge stays as it is. */
  readonly hasCdn?: boolean
  readonly onBadge?: ((status: BadgeStatus) => void) | undefined
  readonly onAnswered?: OnAnswered | undefined
}

const route = '/badge/:file'

/** GET /badge/<username>.svg and its JSON twin, read from the database every time. */
export function badge({ readLatest, hasCdn = false, onBadge, onAnswered }: Options) {
  return new Elysia({ name: 'badge' }).decorate('startedAt', 0).get(route, async (context) => {
    const { params, query } = context
    context.startedAt = performance.now()
    const { username, format } = readFile(params.file)
    const part = readPart(query)
    const answer = await readLatest({ username, ...(part ?? whole) })
    const facts = factsOf(part, answer)
    const { status } = facts
    onBadge?.(status)
    if (format === 'json' && status === 'Unknown') throw new Problem('not_found', 'Nobody has this username.')
    const { request, startedAt } = context
    onAnswered?.({ request, route, status: 200, seconds: secondsSince(startedAt) })
    const choice = choiceOf(query)
    const usual = format === 'svg' ? svgHeaders : jsonHeaders
    const headers = hasCdn ? forCdn(usual, secondsShown(facts, answer)) : usual
    if (format === 'svg') return new Response(renderBadge(facts, choice), { headers })
    return Response.json(endpointOf(facts, choice), { headers })
  })
}

type Part = Pick<BadgeQuestion, 'scope' | 'environment'>

const whole: Part = { scope: everything }

/** A filter that cannot be read (null) is Inactive; an unknown user is Unknown whatever the filter. */
function factsOf(part: Part | null, { isKnown, latest, now }: LatestAnswer): BadgeFacts {
  if (!isKnown) return { status: 'Unknown', age: null }
  if (part === null || latest === null) return { status: 'Inactive', age: null }
  const age = { words: ageInWords(latest, now), short: shortAge(latest, now) }
  return { status: freshnessOf(latest, now), age }
}

function secondsShown({ age }: BadgeFacts, { latest, now }: LatestAnswer): number {
  return secondsUnchanged(age === null ? null : latest, now)
}

function readFile(file: string): { username: string; format: string } {
  const [, name = '', format = ''] = /^(.+)\.(svg|json)$/.exec(file) ?? []
  const username = usernameOf(name)
  if (username !== null) return { username, format }
  throw new Problem('not_found', 'A badge has the address /badge/<username>.svg or /badge/<username>.json.')
}

/** What `?url=` and `?env=` ask for; null where one of them cannot be read. */
function readPart({ url, env }: Readonly<Record<string, string | undefined>>): Part | null {
  const scope = readScope(url)
  if (scope === null) return null
  if (env === undefined || env === '') return { scope }
  return isEnvironment(env) ? { scope, environment: environmentKey(env) } : null
}

function readScope(filter: string | undefined): string | null {
  if (filter === undefined || filter.trim() === '') return everything
  const target = targetOf(filter)
  return target === null ? null : scopeOf(target)
}
