import { afterAll, beforeEach, expect, test } from 'bun:test'
import { issuerKeys } from '../../src/outbound/issuer-keys.ts'
import { startIssuer } from '../support/oidc/issuer.ts'

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
    /** What becomes of a token with this key, and how many documents were fetched for it. */
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

test('keys are fetched anew after ten minutes, and not before', async () => {
  const keys = keysOfIssuer()
  expect(await keys.find(issuer.key.kid)).toEqual(['found', 2])
  now = 10 * minutes - 1
  expect(await keys.find(issuer.key.kid)).toEqual(['found', 0])
  now = 10 * minutes
  expect(await keys.find(issuer.key.kid)).toEqual(['found', 2])
})

test('while they cannot be, those in memory serve, and the issuer is asked every 30 s', async () => {
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

test('a withdrawn key is believed for ten minutes at most', async () => {
  const keys = keysOfIssuer()
  const { kid } = issuer.key
  await keys.find(kid)
  await issuer.rotate()
  now = 10 * minutes
  // Looked for once more, since it is not among those just fetched.
  expect(await keys.find(kid)).toEqual(['JWKSNoMatchingKey', 4])
})

test('an unknown key is looked for every 30 s, and whether it exists is not said while nobody knows', async () => {
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
