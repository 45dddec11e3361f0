import { describe, expect, test } from 'bun:test'
import { tokenFrom } from '../../../src/domain/account/token.ts'
import { bodyForms, created, expectUnauthorized, form, json, post } from '../../support/api.ts'
import { standInDatabase } from '../../support/database.ts'
import { storedDeployments } from '../../support/deployments.ts'
import { exchange } from '../../support/http.ts'
import { signUpPoster } from '../../support/people.ts'
import { startService, useService } from '../../support/service.ts'

const fine = json({ message: 'Deployed' })

const service = await useService()
const ada = await signUpPoster(service)

/** Authorization headers that are refused, made from a token that works. */
const refused: [what: string, authorization: (token: string) => string][] = [
  ['an empty header', () => ''],
  ['the scheme alone', () => 'Bearer'],
  ['the scheme and a space', () => 'Bearer '],
  ['the token alone', (token) => token],
  ['no space after the scheme', (token) => `Bearer${token}`],
  ['a scheme that begins alike', (token) => `Bearers ${token}`],
  ['a colon after the scheme', (token) => `Bearer: ${token}`],
  ['a comma after the scheme', (token) => `Bearer, ${token}`],
  ['a tab after the scheme', (token) => `Bearer\t${token}`],
  ['the scheme "token"', (token) => `token ${token}`],
  ['Basic with the token as password', (token) => `Basic ${btoa(`ada:${token}`)}`],
  ['Basic with the token as it is', (token) => `Basic ${token}`],
  ['a token in quotes', (token) => `Bearer "${token}"`],
  ['a token as a parameter', (token) => `Bearer token=${token}`],
  ['two tokens', (token) => `Bearer ${token} ${token}`],
  ['two headers joined', (token) => `Bearer ${token}, Bearer ${token}`],
  ['Basic and Bearer joined', (token) => `Basic YTpi, Bearer ${token}`],
  ['the token without its last digit', (token) => `Bearer ${token.slice(0, -1)}`],
  ['the token and one more digit', (token) => `Bearer ${token}0`],
  ['the token without its prefix', (token) => `Bearer ${token.slice(5)}`],
  ['the token in another case', (token) => `Bearer ${token.toUpperCase()}`],
  ['a wrong checksum', (token) => `Bearer ${withWrongChecksum(token)}`],
  ['a token that nobody has', () => `Bearer ${unknownToken()}`],
  ['the stored hash', (token) => `Bearer ${new Bun.CryptoHasher('sha256').update(token).digest('hex')}`],
  ['an injection', () => "Bearer ship_' or '1'='1"],
  ['4 KiB', () => `Bearer ship_${'a'.repeat(4096)}`],
  ['null', () => 'Bearer null'],
]

describe('a call is Unauthorized', () => {
  test('without the header', async () => expectUnauthorized(await post(service, null, fine)))

  test.each(refused)('with %s', async (_, authorization) => {
    await expectUnauthorized(await post(service, null, fine, { Authorization: authorization(ada.token) }))
  })

  test.each(['token', 'access_token', 'api_token', 'bearer', 'Authorization'])(
    'with the token in the query parameter, the body field or the cookie %s',
    async (name) => {
      const inQuery = await service.fetch(`/api?${name}=${ada.token}`, { method: 'POST', body: 'message=a' })
      await expectUnauthorized(inQuery)
      for (const bodyOf of Object.values(bodyForms)) {
        await expectUnauthorized(await post(service, null, bodyOf({ message: 'a', [name]: ada.token })))
      }
      await expectUnauthorized(await post(service, null, fine, { Cookie: `${name}=${ada.token}` }))
    },
  )

  test('with the session of a signed-in user', async () =>
    expectUnauthorized(
      await post(service, null, fine, { Cookie: ada.cookie, 'Sec-Fetch-Site': 'same-origin' }),
    ))

  test('with a query parameter and a Basic header', async () => {
    const response = await service.fetch(`/api?access_token=${ada.token}`, {
      method: 'POST',
      headers: { Authorization: 'Basic YTpi', 'Content-Type': 'application/json' },
      body: '{"message":"a"}',
    })
    await expectUnauthorized(response)
  })

  test.each([
    [['Bearer TOKEN', 'Bearer TOKEN']],
    [['Basic YTpi', 'Bearer TOKEN']],
    [['Bearer TOKEN', 'Basic YTpi']],
  ])('with the headers %j', async (values) => {
    const headers = values.map((value) => `Authorization: ${value.replace('TOKEN', ada.token)}`)
    const answer = await exchange(service, [
      'POST /api HTTP/1.1',
      'Host: localhost',
      ...headers,
      'Content-Type: application/x-www-form-urlencoded',
      'Content-Length: 9',
      'Connection: close',
      '',
      'message=a',
    ])
    expect(answer.split('\r\n', 1)).toEqual(['HTTP/1.1 401 Unauthorized'])
    expect(answer).toEndWith('\r\n\r\n{"error":"Unauthorized"}\n')
  })

  test('whatever else is wrong with it, and records nothing', async () => {
    const broken = { type: 'application/json', bytes: '{' }
    await expectUnauthorized(await post(service, null, broken))
    await expectUnauthorized(await post(service, unknownToken(), broken))
    expect(await storedDeployments(service.db, ada.username)).toEqual([])
  })
})

describe('a call is let in', () => {
  test.each(['Bearer ', 'bearer ', 'BEARER ', 'bEaReR ', 'Bearer   '])(
    'with %j before the token',
    async (scheme) => {
      await created(await post(service, null, fine, { Authorization: scheme + ada.token }))
    },
  )

  test('with a query parameter, a field and a cookie that say something else', async () => {
    const response = await service.fetch('/api?access_token=wrong', {
      method: 'POST',
      headers: { Authorization: `Bearer ${ada.token}`, Cookie: 'access_token=wrong; session=wrong' },
      body: new URLSearchParams({ message: 'Deployed', access_token: 'wrong' }),
    })
    await created(response)
  })

  test('from another site: cookies do not count, so no one can be tricked', async () => {
    const headers = { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://elsewhere.example' }
    await created(await ada.post(form({ message: 'Deployed' }), headers))
  })
})

test('a token that is not spelled like one is refused before any query', async () => {
  let queries = 0
  const db = standInDatabase(() => {
    queries += 1
    throw new Error('queried')
  })
  await using isolated = await startService({}, db)
  await expectUnauthorized(await post(isolated, null, fine))
  await expectUnauthorized(await post(isolated, withWrongChecksum(ada.token), fine))
  await expectUnauthorized(await post(isolated, 'null', { type: 'application/json', bytes: '{' }))
  expect(queries).toBe(0)
  expect((await post(isolated, unknownToken(), fine)).status).toBe(500)
  expect(queries).toBe(1)
})

function unknownToken(): string {
  return tokenFrom(crypto.getRandomValues(new Uint8Array(32)))
}

function withWrongChecksum(token: string): string {
  return token.slice(0, -1) + (token.endsWith('0') ? '1' : '0')
}
