import { describe, expect, test } from 'bun:test'
import { Unavailable } from '../../../src/database/errors.ts'
import { tokenFrom } from '../../../src/domain/account/token.ts'
import { announceProblems, type ProblemCode } from '../../../src/domain/problems.ts'
import { maxBodyBytes } from '../../../src/http/body.ts'
import { jsonText } from '../../../src/http/responses.ts'
import { problemExamples, recorded } from '../../../src/views/docs/answers.tsx'
import { form, json, post } from '../../support/api.ts'
import { failingDatabase } from '../../support/database.ts'
import { textOf } from '../../support/markup.ts'
import { addToken, type Poster, signUpPoster } from '../../support/people.ts'
import { startService, useService } from '../../support/service.ts'

const perMinute = 2
const service = await useService({
  BASE_URL: 'https://shipfeed.example',
  RATE_LIMIT_PER_MINUTE: String(perMinute),
})
let poster: Poster

/** A request that causes each documented problem. */
const causes: Readonly<Partial<Record<ProblemCode, () => Promise<Response>>>> = {
  bad_request: () => poster.post({ ...json({}), bytes: '{"message": "a' }),
  unauthorized: () => poster.announce({ message: 'x' }, { Authorization: 'Bearer ship_x' }),
  async forbidden() {
    const { token } = await addToken(poster, { name: 'engine on GitHub', targets: 'github.com/ada/engine' })
    return await post(service, token, form({ message: 'x' }))
  },
  method_not_allowed: () => service.fetch('/api', { method: 'DELETE' }),
  payload_too_large: () => poster.announce({ message: 'a'.repeat(70_000) }),
  unsupported_media_type: () => poster.post({ type: 'text/plain', bytes: 'x' }),
  validation_error: () => poster.post(form({ message: ' ', url: 'ftp://example.com' })),
  async idempotency_key_reused() {
    const key = { 'Idempotency-Key': 'docs' }
    await poster.announce({ message: 'one' }, key)
    return await poster.announce({ message: 'another' }, key)
  },
  async rate_limited() {
    for (let count = 0; count < perMinute; count += 1) await poster.announce({ message: `${count}` })
    return await poster.announce({ message: 'one too many' })
  },
  internal_error: () => announceWithout(new Error('boom')),
  unavailable: () => announceWithout(new Unavailable('down')),
}

async function announceWithout(error: Error): Promise<Response> {
  const broken = await startService({}, failingDatabase(error))
  const response = await post(broken, tokenFrom(new Uint8Array(32).fill(7)), form({ message: 'x' }))
  const copy = new Response(await response.text(), response)
  await broken.close()
  return copy
}

describe('GET /docs shows the answers of POST /api exactly:', () => {
  test.each(announceProblems(perMinute).map((code, place) => [code, place] as const))(
    '%s, with its status and its headers',
    async (code, place) => {
      poster = await signUpPoster(service)
      const told = problemExamples({ perMinute, maxBodyBytes })[place]
      const response = await causes[code]?.()
      expect(response?.status).toBe(told?.status ?? 0)
      expect(withoutChance(await response?.text())).toBe(withoutChance(jsonText(told?.body)))
      for (const [name] of told?.headers ?? []) expect(response?.headers.has(name)).toBeTrue()
    },
  )

  test('of a recorded announcement', async () => {
    poster = await signUpPoster(service, { name: 'Ada Lovelace' })
    const { message, url, environment, version, commit } = recorded.body
    const response = await poster.announce({ message, url, environment, version, commit })
    expect(response.status).toBe(recorded.status)
    const told = (await response.text()).replaceAll(poster.username, recorded.body.username)
    expect(withoutChance(told)).toBe(withoutChance(jsonText(recorded.body)))
  })
})

test.each([
  [2, 'At most 2 announcements a minute'],
  [0, null],
])('where %d may be announced a minute, the page shows each answer, and that limit', async (rate, limit) => {
  const limited = await startService({ RATE_LIMIT_PER_MINUTE: String(rate) })
  const page = await (await limited.fetch('/docs')).text()
  await limited.close()
  const shown = [...page.matchAll(/<pre[^>]*><code>(.*?)<\/code><\/pre>/gs)]
    .map(([markup]) => textOf(markup, 'code'))
    .filter((code) => code.startsWith('{'))
    .map((code) => JSON.parse(code))
  expect<unknown[]>(shown).toEqual(
    [recorded, ...problemExamples({ perMinute: rate, maxBodyBytes })].map(({ body }) => body),
  )
  if (limit === null) expect(page).not.toContain('announcements a minute')
  else expect(page).toContain(limit)
})

/** Ids, addresses, times and waits differ each time. */
function withoutChance(body: string | undefined): string {
  return String(body)
    .replace(/"id":\d+/g, '"id":0')
    .replace(/"deployed_at":"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"/, '"deployed_at":""')
    .replace(/\/\d+"/g, '/0"')
    .replace(/in \d+ s/, 'in 0 s')
    .replace(/announced https?:[^"]+/, 'announced')
}
