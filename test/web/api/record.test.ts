import { describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { bodyForms, created, json } from '../../support/api.ts'
import { query } from '../../support/database.ts'
import { storedDeployments, userIdOf } from '../../support/deployments.ts'
import { signUpPoster } from '../../support/people.ts'
import { useService } from '../../support/service.ts'

const forms = Object.entries(bodyForms)

const service = await useService({ BASE_URL: 'https://ship.example' })
const ada = await signUpPoster(service, { username: 'ada-of-records', name: 'Ada <Countess> 👩‍💻' })
const adaId = await userIdOf(service.db, { username: ada.username })

describe.each(forms)('by %s', (_, bodyOf) => {
  test('the record has the fields that /openapi.json states', async () => {
    const url = 'https://github.com/ada/engine/commit/1'
    const response = await ada.post(bodyOf({ message: 'feat: dark mode', url }))
    expect(response.headers.get('location')).toMatch(/^https:\/\/ship\.example\/ada-of-records\/[1-9]\d*$/)
    const location = response.headers.get('location')
    const record = await created(response)
    expect(location).toBe(`https://ship.example/ada-of-records/${record.id}`)
    expect(record).toEqual({
      id: expect.any(Number),
      message: 'feat: dark mode',
      url,
      category: 'feature',
      deployed_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      user: { id: adaId, name: 'Ada <Countess> 👩‍💻' },
      username: ada.username,
      status: 'success',
      page: location,
    })
  })

  test('a url that is omitted or empty is null', async () => {
    for (const fields of [{ message: 'Deployed' }, { message: 'Deployed', url: '' }]) {
      expect((await created(await ada.post(bodyOf(fields)))).url).toBeNull()
    }
  })

  test('unknown fields are ignored, also those of the record', async () => {
    const fields = { message: 'Deployed', id: '1', started_at: '1999-01-01', user: 'eve' }
    const record = await created(await ada.post(bodyOf({ ...fields, constructor: 'x' })))
    expect(record).toMatchObject({ status: 'success', user: { id: adaId }, message: 'Deployed' })
    expect(record.id).toBeGreaterThan(1)
    expect(record.deployed_at).not.toStartWith('1999')
  })

  test('a category is taken, whatever the message says', async () => {
    for (const category of ['feature', 'bug_fix', 'performance_improvement', 'styling_change']) {
      const body = bodyOf({ message: 'chore: 🐛 fix', category })
      expect((await created(await ada.post(body))).category).toBe(category)
    }
  })

  test.each(echoed)('%s is echoed and stored byte for byte', async (_, message) => {
    const record = await created(await ada.post(bodyOf({ message })))
    expect(record.message).toBe(message)
    expect((await storedDeployments(service.db, ada.username)).at(-1)).toMatchObject({
      id: record.id,
      message,
    })
  })
})

/** What every kind of message earns is in domain/category.test.ts. */
test('without a category, or with an empty one, the message decides', async () => {
  const derived = { '✨ fix: crash': 'bug_fix', 'Version 2.1\nfix: crash': null }
  for (const [message, category] of Object.entries(derived)) {
    for (const fields of [{ message }, { message, category: '' }, { message, category: null }]) {
      expect((await created(await ada.post(json(fields)))).category).toBe(category)
    }
  }
})

test('a null url is no url', async () => {
  const record = await created(await ada.post(json({ message: 'Deployed', url: null })))
  expect(record.url).toBeNull()
})

test('the url is echoed as it was written', async () => {
  const url = 'HTTPS://Example.COM:443/%7eada/../a?q=é&b=<c>#d'
  expect((await created(await ada.post(json({ message: 'Deployed', url })))).url).toBe(url)
})

test('deployed_at is the second that the database read, and ids rise', async () => {
  const first = await created(await ada.announce({ message: 'First' }))
  const second = await created(await ada.announce({ message: 'Second' }))
  expect(second.id).toBeGreaterThan(first.id)
  const stored = (await storedDeployments(service.db, ada.username)).at(-1)
  const begun = Math.floor((stored?.deployed_at_ms ?? 0) / 1000) * 1000
  expect(Date.parse(String(second.deployed_at))).toBe(begun)
  expect(Math.abs(begun - (await databaseNow()))).toBeLessThan(30_000)
})

const echoed: [what: string, message: string][] = [
  ['every line end', 'one\r\ntwo\nthree\rfour\r\n\r\n'],
  ['control characters', '\u001b[1mbold\u001b[0m \u0001\u0007\b\v\f\u007f\u0085\u009f'],
  ['space around it', ' \t padded \u00a0 '],
  ['emoji with joiners and skin tones', '👩‍👩‍👧‍👦 ❤️‍🔥 👍🏽 🏴󠁧󠁢󠁥󠁮󠁧󠁿 🇸🇪'],
  ['right-to-left text', 'שלום עולם \u202eabc\u202c \u2067ארץ\u2069'],
  ['U+2028 and U+2029', 'one\u2028two\u2029three'],
  ['a byte order mark', '\ufeffDeployed \ufeff'],
  ['the replacement character', 'was \ufffd'],
  ['noncharacters and private use', '\uffff\ufdd0\u{1fffe}\ue000\u{10ffff}'],
  ['text that is not normalised', 'e\u0301 é \u212b ﬁ'],
  ['markup', '<script>alert(1)</script> &amp; &lt; "\'`'],
  ['escapes', '100 % %41 %00 a+b \\u0041 \\n &message=x;url=y'],
  ['a JSON object', '{"message":"no","url":"https://example.com"}'],
  ['a JSON array', '["a"]'],
  ['a number', '42'],
  ['a boolean', 'true'],
  ['null', 'null'],
  ['a JSON string', '"quoted"'],
  [
    'a multipart boundary of somebody else',
    'a\r\n--boundary\r\nContent-Disposition: form-data; name="url"\r\n\r\n--',
  ],
]

async function databaseNow(): Promise<number> {
  const [row] = await query<{ ms: number }>(
    service.db,
    sql`select (extract(epoch from now()) * 1000)::float8 as ms`,
  )
  return row?.ms ?? 0
}
