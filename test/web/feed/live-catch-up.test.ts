import { describe, expect, test } from 'bun:test'
import { addedIds, openEventSource } from '../../support/live/event-source.ts'
import { signUpPoster } from '../../support/people.ts'
import { useService } from '../../support/service.ts'

const service = await useService({ RATE_LIMIT_PER_MINUTE: '0' })
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

/** Announces after all that is under test, and withdraws this before the next test. */
async function announceAndWithdraw(): Promise<number> {
  const id = await poster.announced({ message: 'The end' })
  await poster.send(`/${poster.username}/${id}/delete`, {})
  return id
}

/** Has another user withdraw that many; gives the id of the last event before. */
async function withdrawMany(count: number): Promise<number> {
  const other = await signUpPoster(service)
  const records: { id: number }[] = []
  for (let n = 0; n < count; n += 1) {
    records.push((await (await other.announce({ message: 'Not for long' })).json()) as { id: number })
  }
  for (const { id } of records) await other.send(`/${other.username}/${id}/delete`, {})
  return records.at(-1)?.id ?? 0
}

describe('a reader who comes back to the stream', () => {
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

  test('after too many gets the last hundred events, below a line that says there were more', async () => {
    const { start, gapAt, ids: seen } = await caughtUp('&after=0')
    expect(start).toBe(0)
    expect(gapAt).toBe(1)
    expect(seen).toEqual(ids.slice(-100))
  })

  test('hears of no gap where others have withdrawn any number', async () => {
    const { gapAt, ids: seen } = await caughtUp(`&after=${await withdrawMany(101)}`)
    expect([gapAt, seen]).toEqual([-1, []])
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
    const id = await poster.announced({ message: 'Now' })
    await source.find((message) => message.id === String(id))
    source.close()
    await poster.send(`/${poster.username}/${id}/delete`, {})
  })
})

describe('a reader who polls', () => {
  test('gets what was missed as markup, newest first', async () => {
    const response = await service.fetch(path(`&after=${ids.at(-4)}`), { headers: html })
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(addedIds(await response.text())).toEqual(ids.slice(-3).toReversed())
  })

  test('gets 204 and no body where there is nothing new', async () => {
    const id = await poster.announced({ message: 'Last' })
    for (const query of [`&after=${id}`, '', '&after=nonsense']) {
      const response = await service.fetch(path(query), { headers: html })
      expect(response.status).toBe(204)
      expect(await response.text()).toBe('')
    }
    await poster.send(`/${poster.username}/${id}/delete`, {})
  })

  test('after too many gets the line that says there were more at the bottom', async () => {
    const text = await (await service.fetch(path('&after=0'), { headers: html })).text()
    expect(addedIds(text)).toEqual(ids.slice(-100).toReversed())
    expect(text.lastIndexOf('<li')).toBe(text.indexOf('<li class="entry gap"'))
  })

  test('hears of no gap where others have withdrawn any number, and of each of these once', async () => {
    const after = await withdrawMany(101)
    const first = await service.fetch(path(`&after=${after}`), { headers: html })
    const text = await first.text()
    expect(text.match(/hx-swap-oob="delete"/g)).toHaveLength(101)
    expect(text).not.toContain('class="entry gap"')
    const seen = Number(first.headers.get('last-event-id'))
    expect(seen).toBeGreaterThan(after)
    expect((await service.fetch(path(`&after=${seen}`), { headers: html })).status).toBe(204)
  })

  test('of a search learns how far was searched if nothing was found', async () => {
    const other = await signUpPoster(service)
    const after = ids.at(-1)
    const id = await other.announced({ message: 'Of somebody else' })
    const response = await service.fetch(`/feed/live?q=zebra&after=${after}`, { headers: html })
    expect(Number(response.headers.get('last-event-id'))).toBeGreaterThanOrEqual(id)
  })

  test('learns of a withdrawal', async () => {
    const id = await poster.announced({ message: 'Not for long' })
    await poster.send(`/${poster.username}/${id}/delete`, {})
    const text = await (await service.fetch(path(`&after=${id}`), { headers: html })).text()
    expect(text).toContain(`<li id="deployment-${id}" hx-swap-oob="delete"></li>`)
  })
})
