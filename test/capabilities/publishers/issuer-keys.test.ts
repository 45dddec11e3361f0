import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { issuerKeys } from '../../../src/capabilities/publishers/issuer-keys.ts'
import { startIssuer } from '../../support/oidc/issuer.ts'

const issuer = await startIssuer()
afterAll(issuer[Symbol.asyncDispose])
let now = 0
let unreachable = 0
beforeEach(() => {
  issuer.behave(() => undefined)
})

function keysOfIssuer() {
  now = 0
  const options = { production: false, onUnreachable: () => (unreachable += 1), now: () => now }
  const find = issuerKeys({ address: issuer.addressOf('github'), kind: 'github' }, options)
  return {
    /** The result for a token with this key, and the number of documents fetched for it. */
    async find(kid: string) {
      const before = issuer.requests
      const outcome = await Promise.resolve(find({ alg: 'RS256', kid }, { payload: '', signature: '' })).then(
        () => 'found',
        (error: Error) => error.constructor.name,
      )
      return [outcome, issuer.requests - before] as const
    },
  }
}

const minutes = 60_000

test('keys are fetched again after ten minutes, and not before', async () => {
  const keys = keysOfIssuer()
  expect(await keys.find(issuer.key.kid)).toEqual(['found', 2])
  now = 10 * minutes - 1
  expect(await keys.find(issuer.key.kid)).toEqual(['found', 0])
  now = 10 * minutes
  expect(await keys.find(issuer.key.kid)).toEqual(['found', 2])
})

test('while they cannot be fetched, those in memory are used, and the issuer is asked every 30 s', async () => {
  const keys = keysOfIssuer()
  await keys.find(issuer.key.kid)
  issuer.behave(() => new Response('', { status: 500 }))
  unreachable = 0
  now = 60 * minutes
  expect(await keys.find(issuer.key.kid)).toEqual(['found', 1])
  now += 29_999
  expect(await keys.find(issuer.key.kid)).toEqual(['found', 0])
  now += 1
  expect(await keys.find(issuer.key.kid)).toEqual(['found', 1])
  expect(unreachable).toBe(2)
})

test('a withdrawn key is accepted for ten minutes at most', async () => {
  const keys = keysOfIssuer()
  const { kid } = issuer.key
  await keys.find(kid)
  await issuer.rotate()
  now = 10 * minutes
  // Searched for once more, because it is not among the keys that were just fetched.
  expect(await keys.find(kid)).toEqual(['JWKSNoMatchingKey', 4])
})

test('an unknown key is searched for every 30 s, and is not called unknown while the issuer is unreachable', async () => {
  const keys = keysOfIssuer()
  await keys.find(issuer.key.kid)
  expect(await keys.find('none')).toEqual(['JWKSNoMatchingKey', 2])
  expect(await keys.find('none')).toEqual(['JWKSNoMatchingKey', 0])
  now = 30_000
  issuer.behave(() => new Response('', { status: 500 }))
  expect(await keys.find('none')).toEqual(['IssuerUnreachable', 1])
  expect(await keys.find('none')).toEqual(['IssuerUnreachable', 0])
  expect(await keys.find(issuer.key.kid)).toEqual(['found', 0])
  now = 60_000
  issuer.behave(() => undefined)
  expect(await keys.find('none')).toEqual(['JWKSNoMatchingKey', 4])
})

describe('during an outage, with ten calls a second for ten minutes, an issuer is asked', () => {
  /** Every second call names an unknown key. Gives the results of the others. */
  async function tenMinutes(keys: ReturnType<typeof keysOfIssuer>): Promise<Set<string>> {
    const outcomes = new Set<string>()
    for (const end = now + 10 * minutes; now < end; now += 100) {
      const [outcome] = await keys.find(now % 200 === 0 ? issuer.key.kid : 'none')
      if (now % 200 === 0) outcomes.add(outcome)
    }
    return outcomes
  }

  test('without keys in memory: twice a minute, and its keys are used again within 30 s', async () => {
    const keys = keysOfIssuer()
    issuer.behave(() => new Response('', { status: 500 }))
    const before = issuer.requests
    expect(await tenMinutes(keys)).toEqual(new Set(['IssuerUnreachable']))
    expect(issuer.requests - before).toBe(20)
    issuer.behave(() => undefined)
    now += 30_000
    expect(await keys.find(issuer.key.kid)).toEqual(['found', 2])
  })

  test('with keys in memory, which stay in use: at most four times a minute', async () => {
    const keys = keysOfIssuer()
    await keys.find(issuer.key.kid)
    now = 60 * minutes
    issuer.behave(() => new Response('', { status: 500 }))
    const before = issuer.requests
    expect(await tenMinutes(keys)).toEqual(new Set(['found']))
    expect(issuer.requests - before).toBeLessThanOrEqual(40)
  })

  test('by 200 calls at the same time: once', async () => {
    const keys = keysOfIssuer()
    issuer.behave(() => new Response('', { status: 500 }))
    const before = issuer.requests
    await Promise.all(Array.from({ length: 200 }, () => keys.find('none')))
    expect(issuer.requests - before).toBe(1)
  })
})
