import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { Unavailable } from '../../../src/database/errors.ts'
import { badge } from '../../../src/web/badge/image.ts'
import { answerKinds, kindHeaders } from '../../support/answer-kinds.ts'
import { failingDatabase } from '../../support/database.ts'
import { signUpPoster } from '../../support/people.ts'
import { useService } from '../../support/service.ts'

const plain = await useService()
const service = await useService({ BADGE_CDN: 'on' })
const away = await useService({ BADGE_CDN: 'on' }, failingDatabase(new Unavailable('away')))

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour
const year = 365.2425 * day
const month = year / 12

const deployedAt = new Date('2026-11-22T12:00:00Z')

let now = deployedAt
/** The second environment is 90 minutes older. */
const live = [0, 90 * minute].map((older, n) => ({
  environment: ['staging', 'production'][n] ?? '',
  version: n === 0 ? 'v2' : null,
  commit: null,
  deployedAt: new Date(deployedAt.getTime() - older),
}))
const answer = async () => ({ isKnown: true, latest: deployedAt, version: 'v1', now })
const ofEnvironments = async () => ({ isKnown: true, latest: deployedAt, live, order: null, now })
const route = badge({
  read: { latest: answer, newest: answer, release: answer, live: ofEnvironments },
  hasCdn: true,
})

/** What a badge of this age is, in ms, and for how many seconds a CDN may keep it. */
async function at(age: number, file = 'ada.svg') {
  now = new Date(deployedAt.getTime() + age)
  const response = await route.handle(new Request(`http://localhost/badge/${file}`))
  return { seconds: secondsOf(response), body: await response.text() }
}

function secondsOf({ headers }: Response): number {
  const [, seconds] = /^max-age=(\d+), must-revalidate$/.exec(headers.get('cdn-cache-control') ?? '') ?? []
  return Number(seconds)
}

describe('with BADGE_CDN=on, a CDN may keep a badge', () => {
  test.each([
    [-5 * second, 65],
    [0, 60],
    [1, 59],
    [minute - 1, 0],
    [minute, 60],
    [hour - 1, 0],
    [hour, 3600],
    // At a bound the words change, and a millisecond later the state.
    [3 * hour - 1, 0],
    [3 * hour, 0],
    [3 * hour + 1, 3599],
    [day - 1, 0],
    [day, 0],
    [day + 1, 3600],
    [7 * day - 30 * second, 30],
    [7 * day, 0],
    [30 * day - second, 1],
    [30 * day, 0],
    [month - minute, 60],
    [month, 3600],
    [year - 10 * second, 10],
    [10 * year, 3600],
  ])('of an age of %d ms for %d s', async (age, seconds) => {
    expect((await at(age)).seconds).toBe(seconds)
  })

  test('until the first byte of it changes by its age, and for an hour at most', async () => {
    const bounds = [0, minute, hour, 3 * hour, day, 7 * day, 30 * day, month, year]
    const nearBound = fc
      .tuple(fc.constantFrom(...bounds), fc.integer({ min: -2 * minute, max: 2 * minute }))
      .map(([bound, difference]) => bound + difference)
    const anyAge = fc.oneof(nearBound, fc.integer({ min: -hour, max: 3 * year }))
    const files = fc.constantFrom(
      'ada.svg',
      'ada.svg?style=dot',
      'ada.svg?show=age&label=x',
      'ada.svg?show=version',
      'ada.svg?show=environments&url=a.example',
    )
    await fc.assert(
      fc.asyncProperty(anyAge, files, async (age, file) => {
        const { seconds, body } = await at(age, file)
        // A cache asks again when this time is over (RFC 9111).
        const last = age + Math.max(0, seconds * second - 1)
        expect((await at(last, file)).body).toBe(body)
        const changed = (await at(age + (seconds + 1) * second, file)).body !== body
        expect(changed || seconds === 3600).toBeTrue()
        const twin = file.replace('.svg', '.json')
        expect((await at(age, twin)).seconds).toBe(seconds)
        expect((await at(last, twin)).body).toBe((await at(age, twin)).body)
      }),
      { numRuns: 500 },
    )
  })

  test('without an age for a minute, because a first deployment may follow', async () => {
    const { username } = await signUpPoster(service)
    const files = [
      `${username}.svg`,
      `${username}.json`,
      'nobody-of-this-name.svg',
      `${username}.svg?url=%25`,
    ]
    for (const file of files) expect(secondsOf(await service.fetch(`/badge/${file}`))).toBe(60)
  })

  test('while browsers and image proxies may keep none', async () => {
    const poster = await signUpPoster(service)
    await poster.announce({ message: 'x' })
    for (const [kind, format] of [
      ['badge', 'svg'],
      ['badge JSON', 'json'],
    ] as const) {
      const response = await service.fetch(`/badge/${poster.username}.${format}`)
      expect(secondsOf(response)).toBeWithin(50, 61)
      const { 'cdn-cache-control': _, ...others } = kindHeaders(kind, response)
      expect<unknown>(others).toEqual(answerKinds[kind])
    }
  })

  test('but nothing that is not a badge of a user: an outage, an unknown address', async () => {
    for (const path of ['/badge/ada.svg', '/badge/ada.json', '/badge/a--b.svg', '/badge/a--b.json']) {
      expect((await away.fetch(path)).headers.get('cdn-cache-control')).toBeNull()
    }
    const nobody = await service.fetch('/badge/nobody-of-this-name.json')
    expect([nobody.status, nobody.headers.get('cdn-cache-control')]).toEqual([404, null])
  })

  test('and without the setting, none', async () => {
    const { username } = await signUpPoster(plain)
    for (const file of [`${username}.svg`, `${username}.json`]) {
      expect((await plain.fetch(`/badge/${file}`)).headers.get('cdn-cache-control')).toBeNull()
    }
  })
})
