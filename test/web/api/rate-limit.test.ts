import { beforeEach, describe, expect, test } from 'bun:test'
import { created, expectError, expectUnauthorized, invalid, json, post } from '../../support/api.ts'
import { ageDeployments, storedDeployments } from '../../support/deployments.ts'
import { type Poster, rollToken, signUpPoster } from '../../support/people.ts'
import { type Service, startService, useService } from '../../support/service.ts'

const fine = json({ message: 'Deployed' })
let ada: Poster

const service = await useService({ RATE_LIMIT_PER_MINUTE: '3' })
beforeEach(async () => {
  ada = await signUpPoster(service)
})

describe('with three a minute', () => {
  test('three pass and say how many remain; the fourth is refused and says when to retry', async () => {
    for (const remaining of [2, 1, 0]) {
      const response = await ada.post(fine)
      expect(quotaIn(response)).toEqual({ policy: { q: 3, w: 60 }, r: remaining, t: expect.any(Number) })
      expect(response.headers.has('retry-after')).toBeFalse()
      await created(response)
    }
    const refused = await ada.post(fine)
    const { r, t } = quotaIn(refused)
    const retryAfter = Number(refused.headers.get('retry-after'))
    expect(r).toBe(0)
    expect(t).toBeWithin(30, 61)
    expect(retryAfter).toBeWithin(t, 61)
    await expectError(refused, 429, 'rate_limited')
    expect(await rows()).toBe(3)
  })

  test('waiting as long as Retry-After says is enough', async () => {
    await spend(service, 3)
    await ageDeployments(service.db, ada.username, 12.3)
    const refused = await ada.post(fine)
    const retryAfter = Number(refused.headers.get('retry-after'))
    expect(retryAfter).toBeWithin(30, 49)
    await ageDeployments(service.db, ada.username, retryAfter)
    expect(quotaIn(await ada.post(fine)).r).toBe(2)
  })

  test('the minute rolls: each place is free when its own minute is over', async () => {
    await spend(service, 1)
    await ageDeployments(service.db, ada.username, 40)
    await spend(service, 2)
    await expectError(await ada.post(fine), 429, 'rate_limited')
    await ageDeployments(service.db, ada.username, 20)
    await spend(service, 1)
    await expectError(await ada.post(fine), 429, 'rate_limited')
    await ageDeployments(service.db, ada.username, 40)
    expect(quotaIn(await ada.post(fine)).r).toBe(1)
  })

  test('deployments from a clock that was two hours ahead lock no one out', async () => {
    await spend(service, 3)
    await ageDeployments(service.db, ada.username, -2 * 60 * 60)
    await spend(service, 3)
    const refused = await ada.post(fine)
    expect(Number(refused.headers.get('retry-after'))).toBeWithin(1, 61)
    await expectError(refused, 429, 'rate_limited')
  })

  test('an announcement of 57 seconds ago still counts', async () => {
    await spend(service, 3)
    await ageDeployments(service.db, ada.username, 57)
    await expectError(await ada.post(fine), 429, 'rate_limited')
  })

  test('refused calls do not count, whatever they were refused for', async () => {
    for (let n = 0; n < 4; n += 1) {
      await invalid(await ada.announce({ message: '' }))
      await expectError(await ada.post(broken), 400, 'bad_request')
      await expectError(await ada.post({ bytes: 'a' }), 415, 'unsupported_media_type')
    }
    await spend(service, 3)
    for (let n = 0; n < 4; n += 1) await expectError(await ada.post(fine), 429, 'rate_limited')
    await ageDeployments(service.db, ada.username, 60)
    await spend(service, 3)
  })

  test('a replay does not count, and says how many remain', async () => {
    for (let n = 0; n < 4; n += 1) {
      const response = await ada.announce({ message: 'Deployed' }, { 'Idempotency-Key': 'build-1' })
      expect(quotaIn(response).r).toBe(2)
      await created(response)
    }
    await expectError(
      await ada.announce({ message: 'Other' }, { 'Idempotency-Key': 'build-1' }),
      422,
      'idempotency_key_reused',
    )
    await spend(service, 2)
  })

  test('the user is counted, not the token', async () => {
    await spend(service, 2)
    const kept = await rollToken(ada, { keep_old: '24h' })
    await created(await post(service, kept, fine))
    await expectError(await ada.post(fine), 429, 'rate_limited')
    await expectError(await post(service, kept, fine), 429, 'rate_limited')
    await expectError(await post(service, await rollToken(ada), fine), 429, 'rate_limited')
  })

  test('no one else is limited', async () => {
    await spend(service, 3)
    const bob = await signUpPoster(service)
    expect(quotaIn(await bob.post(fine)).r).toBe(2)
    await expectUnauthorized(await post(service, null, fine))
  })

  test('withdrawing an announcement frees its place', async () => {
    await spend(service, 3)
    const [first] = await storedDeployments(service.db, ada.username)
    expect((await ada.send(`/${ada.username}/${first?.id}/delete`, {})).status).toBe(303)
    expect(quotaIn(await ada.post(fine)).r).toBe(0)
  })
})

describe('the limit is exact', () => {
  test('under 30 parallel calls', async () => {
    const responses = await Promise.all(Array.from({ length: 30 }, () => ada.post(fine)))
    expect(passed(responses).map((response) => quotaIn(response).r)).toEqual([0, 1, 2])
    expect(await rows()).toBe(3)
  })

  test('over two services on one database', async () => {
    await using other = await startService({ RATE_LIMIT_PER_MINUTE: '3' })
    const responses = await Promise.all(
      Array.from({ length: 30 }, (_, n) => post(n % 2 ? other : service, ada.token, fine)),
    )
    expect(passed(responses).map((response) => quotaIn(response).r)).toEqual([0, 1, 2])
    await expectError(await post(other, ada.token, fine), 429, 'rate_limited')
    expect(await rows()).toBe(3)
  })

  test('for several users in the same moment', async () => {
    const users = await Promise.all(Array.from({ length: 5 }, () => signUpPoster(service)))
    const calls = users.flatMap((user) => Array.from({ length: 6 }, () => user.post(fine)))
    expect(passed(await Promise.all(calls))).toHaveLength(15)
    for (const user of users) expect(await rows(user)).toBe(3)
  })

  test('whether or not calls carry keys', async () => {
    const calls = Array.from({ length: 20 }, (_, n) =>
      ada.announce({ message: 'Deployed' }, n % 2 ? { 'Idempotency-Key': `build-${n}` } : {}),
    )
    expect(passed(await Promise.all(calls))).toHaveLength(3)
    expect(await rows()).toBe(3)
  })
})

test('0 is no limit, and has no headers', async () => {
  const unlimited = await startService({ RATE_LIMIT_PER_MINUTE: '0' })
  const responses = await Promise.all(Array.from({ length: 80 }, () => post(unlimited, ada.token, fine)))
  for (const response of responses) {
    expect(response.status).toBe(201)
    expect(response.headers.has('ratelimit')).toBeFalse()
    expect(response.headers.has('ratelimit-policy')).toBeFalse()
  }
  await unlimited.close()
})

test('60 a minute is the default', async () => {
  await using usual = await startService({ RATE_LIMIT_PER_MINUTE: '' })
  const responses = await Promise.all(Array.from({ length: 70 }, () => post(usual, ada.token, fine)))
  expect(passed(responses)).toHaveLength(60)
  expect(responses.map((response) => quotaIn(response).policy.q)).toEqual(Array(70).fill(60))
})

const broken = { type: 'application/json', bytes: '{' }

async function rows(poster: Poster = ada): Promise<number> {
  return (await storedDeployments(service.db, poster.username)).length
}

async function spend(at: Service, places: number): Promise<void> {
  for (let n = 0; n < places; n += 1) await created(await post(at, ada.token, fine))
}

/** The answers with 201, the one that took the last place first; every other answer is a 429. */
function passed(responses: readonly Response[]): Response[] {
  const through = responses.filter(({ status }) => status === 201)
  expect(responses.filter(({ status }) => status === 429)).toHaveLength(responses.length - through.length)
  return through.sort((a, b) => quotaIn(a).r - quotaIn(b).r)
}

/** The two headers, in the words of draft-ietf-httpapi-ratelimit-headers. */
function quotaIn({ headers }: Response): { policy: { q: number; w: number }; r: number; t: number } {
  const [, q, w] = /^"[a-z]+";q=(\d+);w=(\d+)$/.exec(headers.get('ratelimit-policy') ?? '') ?? []
  const [, r, t] = /^"[a-z]+";r=(\d+);t=(\d+)$/.exec(headers.get('ratelimit') ?? '') ?? []
  return { policy: { q: Number(q), w: Number(w) }, r: Number(r), t: Number(t) }
}
