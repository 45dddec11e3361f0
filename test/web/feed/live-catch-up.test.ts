import { describe, expect, test } from 'bun:test'
import { addedIds, openEventSource } from '../../support/live/event-source.ts'
import { signUpPoster } from '../../support/people.ts'
import { useService } from '../../support/service.ts'

const service = await useService()
const poster = await signUpPoster(service)
const answers = await Promise.all(Array.from({ length: 130 }, () => poster.announce({ message: 'Missed' })))
const records = (await Promise.all(answers.map((answer) => answer.json()))) as { id: number }[]
const ids = records.map(({ id }) => id).sort((a, b) => a - b)

const path = (query = ''): string => `/feed/live?user=${poster.username}${query}`
/** The id of the deployment that has `left` after it. */
const cursor = (left: number): number => ids[ids.length - 1 - left] ?? 0
const html = { Accept: 'text/html' }

/** What a stream sends of the past: the opening's id, whether there was a gap, the ids in order. */
async function caughtUp(query: string, headers: Record<string, string> = {}) {
  const source = await openEventSource(service, path(query), headers)
  const withdrawn = await announceAndWithdraw()
  await source.find(({ data }) => data?.includes(`"deployment-${withdrawn}"`) ?? false)
  source.close()
  const texts = source.messages.map(({ data }) => data ?? '')
  const seen = texts.flatMap(addedIds).filter((id) => id !== withdrawn)
  return {
    start: Number(source.messages[0]?.id),
    gapAt: texts.findIndex((text) => text.includes('class="entry gap"')),
    ids: seen,
  }
}

/** Something that comes after all that is under test, and is not there for the next one. */
async function announceAndWithdraw(): Promise<number> {
  const { id } = (await (await poster.announce({ message: 'The end' })).json()) as { id: number }
  await poster.send(`/${poster.username}/${id}/delete`, {})
  return id
}

describe('who comes back to the stream', () => {
  test.each([
    ['by Last-Event-ID', '', { 'Last-Event-ID': 'CURSOR' }],
    ['by ?after=', '&after=CURSOR', {}],
    ['by Last-Event-ID whatever ?after= says', '&after=1', { 'Last-Event-ID': 'CURSOR' }],
    ['by ?after= where Last-Event-ID is no id', '&after=CURSOR', { 'Last-Event-ID': '1e3' }],
  ])('%s gets what was missed, oldest first', async (_, query, headers) => {
    const start = cursor(3)
    const fill = (text: string) => text.replace('CURSOR', String(start))
    const filled = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, fill(value)]))
    expect(await caughtUp(fill(query), filled)).toEqual({ start, gapAt: -1, ids: ids.slice(-3) })
  })

  test('after too many gets the last hundred events, below a line that tells of more', async () => {
    const { start, gapAt, ids: seen } = await caughtUp('&after=0')
    expect(start).toBe(0)
    expect(gapAt).toBe(1)
    expect(seen.length).toBeGreaterThan(80)
    expect(seen).toEqual(ids.slice(-seen.length))
  })

  test.each(['', '-1', '01', '1.5', '0x10', 'NaN', '9'.repeat(30), '%00', "1' or 1=1"])(
    'with "%s" as the cursor begins with what comes next',
    async (text) => {
      const { start, ids: seen } = await caughtUp(`&after=${text}`)
      expect(start).toBeGreaterThanOrEqual(ids.at(-1) ?? 0)
      expect(seen).toEqual([])
    },
  )

  test('with an id of the future is set back, and misses nothing from then on', async () => {
    const source = await openEventSource(service, path('&after=999999999999999'))
    const { id } = (await (await poster.announce({ message: 'Now' })).json()) as { id: number }
    await source.find((message) => message.id === String(id))
    source.close()
    await poster.send(`/${poster.username}/${id}/delete`, {})
  })
})

describe('who polls', () => {
  test('gets what was missed as markup, newest first', async () => {
    const response = await service.fetch(path(`&after=${ids.at(-4)}`), { headers: html })
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(addedIds(await response.text())).toEqual(ids.slice(-3).toReversed())
  })

  test('gets 204 and no body where there is nothing new', async () => {
    const { id } = (await (await poster.announce({ message: 'Last' })).json()) as { id: number }
    for (const query of [`&after=${id}`, '', '&after=nonsense']) {
      const response = await service.fetch(path(query), { headers: html })
      expect(response.status).toBe(204)
      expect(await response.text()).toBe('')
    }
    await poster.send(`/${poster.username}/${id}/delete`, {})
  })

  test('after too many gets the line that tells of more at the bottom', async () => {
    const text = await (await service.fetch(path('&after=0'), { headers: html })).text()
    expect(addedIds(text)).toEqual(addedIds(text).toSorted((a, b) => b - a))
    expect(text.match(/<li/g)).toHaveLength(101)
    expect(text.lastIndexOf('<li')).toBe(text.indexOf('<li class="entry gap"'))
  })

  test('is told of a withdrawal', async () => {
    const { id } = (await (await poster.announce({ message: 'Not for long' })).json()) as { id: number }
    await poster.send(`/${poster.username}/${id}/delete`, {})
    const text = await (await service.fetch(path(`&after=${id}`), { headers: html })).text()
    expect(text).toContain(`<li id="deployment-${id}" hx-swap-oob="delete"></li>`)
  })
})
