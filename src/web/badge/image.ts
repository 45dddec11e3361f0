import { Elysia } from 'elysia'
import { type Badge, renderBadge, styleNamed } from '../../badge/badge.ts'
import { endpointOf } from '../../badge/endpoint.ts'
import type { BadgeStatus } from '../../badge/status.ts'
import type { LatestAnswer, LatestQuestion } from '../../data/latest-deployments.ts'
import { usernameOf } from '../../domain/account/username.ts'
import { freshnessOf } from '../../domain/freshness.ts'
import { everything, scopeOf, targetOf } from '../../domain/target.ts'
import { ageInWords } from '../../domain/time.ts'
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
    const { status, age } = statusOf(scope, await readLatest({ username, scope: scope ?? everything }))
    onBadge?.(status)
    if (format === 'json' && status === 'Unknown') throw new Problem('not_found', 'Nobody has this username.')
    const { request, startedAt } = context
    onAnswered?.({ request, route, status: 200, seconds: secondsSince(startedAt) })
    if (format === 'svg') {
      return new Response(renderBadge({ status, age, style: styleNamed(query.style) }), {
        headers: svgHeaders,
      })
    }
    return Response.json(endpointOf(status), { headers: badgeJsonHeaders })
  })
}

/** A filter that names no target (null) is Inactive; an unknown user is Unknown whatever the filter. */
function statusOf(scope: string | null, { isKnown, latest, now }: LatestAnswer): Omit<Badge, 'style'> {
  if (!isKnown) return { status: 'Unknown', age: null }
  if (scope === null || latest === null) return { status: 'Inactive', age: null }
  return { status: freshnessOf(latest, now), age: ageInWords(latest, now) }
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
