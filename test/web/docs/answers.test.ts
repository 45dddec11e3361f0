import { describe, expect, test } from 'bun:test'
import { Unavailable } from '../../../src/database/errors.ts'
import { tokenFrom } from '../../../src/domain/token.ts'
import { answers } from '../../../src/views/docs/examples.ts'
import { type Fields, form, post } from '../../support/api.ts'
import { failingDatabase } from '../../support/database.ts'
import { textOf } from '../../support/markup.ts'
import { signUpPoster } from '../../support/people.ts'
import { type Service, startService, useService } from '../../support/service.ts'

const service = await useService()
const limited = await useService({ RATE_LIMIT_PER_MINUTE: '60' })
const poster = await signUpPoster(service, { name: 'Ada Lovelace' })

function announce(fields: Fields, headers: Fields = {}, to: Service = service): Promise<Response> {
  return post(to, poster.token, form(fields), headers)
}

/** What brings each documented answer about. */
const causes: Readonly<Record<keyof typeof answers, () => Promise<Response>>> = {
  recorded: () => announce({ message: answers.recorded.body.message, url: answers.recorded.body.url }),
  unreadable: () => post(service, poster.token, { ...form({}), bytes: 'message=100%' }),
  unauthorized: () => announce({ message: 'x' }, { Authorization: 'Bearer ship_x' }),
  wrongMethod: () => service.fetch('/api', { method: 'DELETE' }),
  tooLarge: () => announce({ message: 'a'.repeat(70_000) }),
  otherMediaType: () => post(service, poster.token, { type: 'text/plain', bytes: 'x' }),
  invalid: () => announce({ message: ' ', url: 'ftp://example.com' }),
  async keyReused() {
    const key = { 'Idempotency-Key': 'docs' }
    await announce({ message: 'one' }, key)
    return await announce({ message: 'another' }, key)
  },
  async tooOften() {
    for (let count = 0; count < 60; count += 1) await announce({ message: `${count}` })
    return await announce({ message: 'one too many' }, {}, limited)
  },
  fault: () => announceWithout(new Error('boom')),
  unavailable: () => announceWithout(new Unavailable('down')),
}

async function announceWithout(error: Error): Promise<Response> {
  await using broken = await startService({}, failingDatabase(error))
  const response = await post(broken, tokenFrom(new Uint8Array(32).fill(7)), form({ message: 'x' }))
  return new Response(await response.text(), response)
}

describe('GET /docs', () => {
  test.each(Object.keys(answers) as (keyof typeof answers)[])(
    'tells the answer "%s" exactly as it is, with its status and its header',
    async (name) => {
      const { status, body, ...rest } = answers[name]
      const response = await causes[name]()
      expect(response.status).toBe(status)
      expect(withoutChance(await response.text())).toBe(withoutChance(JSON.stringify(body)))
      const [header = '', value = ''] = 'headers' in rest ? rest.headers.split(': ') : []
      if (header === '') return
      expect(response.headers.get(header)).toStartWith(value.startsWith('the ') ? '' : value)
    },
  )

  test('shows each of them', async () => {
    const page = await (await service.fetch('/docs')).text()
    const shown = [...page.matchAll(/<pre><code>(.*?)<\/code><\/pre>/gs)]
      .map(([markup]) => textOf(markup, 'code'))
      .filter((code) => code.startsWith('{'))
      .map((code) => JSON.parse(code))
    expect<unknown[]>(shown).toEqual(Object.values(answers).map(({ body }) => body))
  })

  test('names every status that is described for programs, and no other', async () => {
    const description = (await (await service.fetch('/openapi.json')).json()) as {
      paths: { '/api': { post: { responses: object } } }
    }
    const described = Object.keys(description.paths['/api'].post.responses)
    expect([...new Set(Object.values(answers).map(({ status }) => `${status}`))]).toEqual(described)
  })
})

/** Ids, times and waits are others each time. */
function withoutChance(body: string): string {
  return body
    .replace(/"id":\d+/g, '"id":0')
    .replace(/"deployed_at":"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"/, '"deployed_at":""')
    .replace(/in \d+ s/, 'in 0 s')
}
