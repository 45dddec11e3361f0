import { Elysia } from 'elysia'
import { renderBadge } from '../../badge/badge.ts'
import { choiceOf } from '../../badge/choice.ts'
import { endpointOf } from '../../badge/endpoint.ts'
import type { BadgeFacts } from '../../badge/face.ts'
import type { BadgeStatus } from '../../badge/status.ts'
import type { LatestAnswer, LatestQuestion } from '../../data/latest-deployments.ts'
import { usernameOf } from '../../domain/account/username.ts'
import { freshnessOf } from '../../domain/freshness.ts'
import { everything, scopeOf, targetOf } from '../../domain/target.ts'
import { ageInWords, shortAge } from '../../domain/time.ts'
import { type OnAnswered, secondsSince } from '../../http/log/answered.ts'
import { Problem } from '../../http/problem.ts'
import { badgeJsonHeaders, badgeSvgHeaders } from './headers.ts'

/** Made once: Bun copies Headers in a third of the time that it takes to read an object. */
const svgHeaders = new Headers(badgeSvgHeaders)

type Options = {
  readonly readLatest: (question: LatestQuestion) => Promise<LatestAnswer>
  readonly onBadge?: ((status: BadgeStatus) => void) | undefined
  readonly onAnswered?: OnAnswered | undefined
}

const route = '/badge/:file'

/** GET /badge/<username>.svg and its JSON twin, read from the database every time. */
export function badge({ readLatest, onBadge, onAnswered }: Options) {
  return new Elysia({ name: 'badge' }).decorate('startedAt', 0).get(route, async (context) => {
    const { params, query } = context
    context.startedAt = performance.now()
    const { username, format } = readFile(params.file)
    const scope = readScope(query.url)
    const facts = factsOf(scope, await readLatest({ username, scope: scope ?? everything }))
    const { status } = facts
    onBadge?.(status)
    if (format === 'json' && status === 'Unknown') throw new Problem('not_found', 'Nobody has this username.')
    const { request, startedAt } = context
    onAnswered?.({ request, route, status: 200, seconds: secondsSince(startedAt) })
    const choice = choiceOf(query)
    if (format === 'svg') return new Response(renderBadge(facts, choice), { headers: svgHeaders })
    return Response.json(endpointOf(facts, choice), { headers: badgeJsonHeaders })
  })
}

/** A filter that names no target (null) is Inactive; an unknown user is Unknown whatever the filter. */
function factsOf(scope: string | null, { isKnown, latest, now }: LatestAnswer): BadgeFacts {
  if (!isKnown) return { status: 'Unknown', age: null }
  if (scope === null || latest === null) return { status: 'Inactive', age: null }
  const age = { words: ageInWords(latest, now), short: shortAge(latest, now) }
  return { status: freshnessOf(latest, now), age }
}

function readFile(file: string): { username: string; format: string } {
  const [, name = '', format = ''] = /^(.+)\.(svg|json)$/.exec(file) ?? []
  const username = usernameOf(name)
  if (username !== null) return { username, format }
  throw new Problem('not_found', 'A badge has the address /badge/<username>.svg or /badge/<username>.json.')
}

function readScope(filter: string | undefined): string | null {
  if (filter === undefined || filter.trim() === '') return everything
  const target = targetOf(filter)
  return target === null ? null : scopeOf(target)
}
