import { expect, test } from 'bun:test'
import { form, post } from '../support/api.ts'
import { createPostgresDatabase } from '../support/database.ts'
import { eventually, untilReady } from '../support/eventually.ts'
import { type EventSource, openEventSource } from '../support/live/event-source.ts'
import { signUpPoster } from '../support/people.ts'
import { doorOf, freePort, type Process, startProcess } from '../support/process.ts'
import { type Element, elementsOf, messageIn } from '../support/xml.ts'

/** What every reader reports of an announcement. */
type Told = {
  readonly page: string
  readonly message: string
  readonly url: string | null
  readonly category: string | null
  readonly published: string
}
type Door = ReturnType<typeof doorOf>

const count = 5_000
const writers = 8
const minDeaths = 4
const ofTestServer = 'http://shipfeed.test'

const categories = [null, 'feature', 'bug_fix', 'performance_improvement', 'styling_change']
/** Characters that XML, JSON and event streams treat specially. */
const texts = [
  '<b>&amp; "it\'s" ]]>',
  'two\r\nlines\rand\nmore\n',
  '{{ x }} \\u0041 %0A',
  '✨ 🚢 é',
  ' \t data: x ',
  '\n\nid: 1\n\n',
]

/** The n-th announcement; a few have the greatest length. */
function fieldsOf(n: number): Readonly<Record<string, string>> {
  const message = `${texts[n % texts.length]} ${n}`
  const category = categories[n % categories.length]
  return {
    message: n % 500 === 0 ? message.padEnd(4_000, ' and more') : message,
    ...(n % 3 === 0 ? {} : { url: `https://github.com/ada/engine/pull/${n}?a=1&b="2"` }),
    ...(category === null || category === undefined ? {} : { category }),
  }
}

test('Atom, JSON Feed, the list and the live stream agree on 5,000 announcements, while two processes crash in turns', async () => {
  const database = await createPostgresDatabase()
  let isOver = false
  const ports = [freePort(), freePort()]
  const start = (port: number) => startProcess({ DATABASE_URL: database.url, PORT: String(port) })
  const processes: Process[] = ports.map(start)
  await using _ = { [Symbol.asyncDispose]: end }
  const urls = await Promise.all(processes.map(({ url }) => url))
  const doors = urls.map((url) => doorOf(url))
  for (const door of doors) await untilReady(door)
  const { token } = await signUpPoster(doors[0] as Door, { username: 'ada' })

  let deaths = 0
  const dying = takeTurnsInDying()
  const live = follow()
  const acknowledged = await announceAll()
  const [atom, jsonFeed, list] = await Promise.all([readAtom(), readJsonFeed(), readList()])
  await eventually('the live stream has them all', () => live.received() >= count)
  const streamed = await live.stop()
  isOver = true
  await dying

  const due = [...acknowledged.values()].toSorted((a, b) => idOf(b) - idOf(a))
  expect(deaths).toBeGreaterThanOrEqual(minDeaths)
  expect(due).toHaveLength(count)
  // Feed readers get each link as a valid URI.
  const dueInFeeds = due.map(({ url, ...told }) => ({ ...told, url: url && new URL(url).href }))
  expect(atom).toEqual(dueInFeeds)
  expect(jsonFeed).toEqual(dueInFeeds)
  expect(list).toEqual(due)
  expect(streamed).toEqual(due.toReversed())

  /** Announces all, retrying each at both processes until it is acknowledged; returns them by their pages. */
  async function announceAll(): Promise<ReadonlyMap<string, Told>> {
    const told = new Map<string, Told>()
    let next = 0
    const write = async () => {
      for (let n = next++; n < count; n = next++) {
        // The announcements take longer than all crashes, however long these take.
        while (deaths < Math.floor((n / count) * (minDeaths + 1))) await Bun.sleep(10)
        const record = await untilAcknowledged(n)
        told.set(record.page, record)
        await Bun.sleep(10)
      }
    }
    await Promise.all(Array.from({ length: writers }, write))
    return told
  }

  async function untilAcknowledged(n: number): Promise<Told> {
    const { message = '', url = null, category } = fieldsOf(n)
    for (let turn = n; ; turn += 1) {
      const key = { 'Idempotency-Key': `announcement-${n}` }
      const response = await post(door(turn), token, form(fieldsOf(n)), key).catch(() => null)
      const record = (await response?.json().catch(() => null)) as Listed | null | undefined
      if (response?.status === 201 && record) {
        const page = response.headers.get('location') ?? ''
        return { page, message, url, category: category ?? record.category, published: record.deployed_at }
      }
      expect(response?.status ?? 503).toBeOneOf([201, 503])
      await Bun.sleep(20)
    }
  }

  async function end(): Promise<void> {
    isOver = true
    for (const { child } of processes) child.kill('SIGKILL')
    await Promise.all(processes.map(({ child }) => child.exited))
    await database.drop()
  }

  async function takeTurnsInDying(): Promise<void> {
    while (!isOver) {
      const n = deaths % 2
      await Bun.sleep(1_000)
      processes[n]?.child.kill('SIGKILL')
      await processes[n]?.child.exited
      processes[n] = start(ports[n] ?? 0)
      await untilReady(door(n))
      deaths += 1
    }
  }

  /** Follows from the beginning; reconnects with Last-Event-ID to the processes in turns. */
  function follow() {
    const told: Told[] = []
    let current: EventSource | null = null
    let isLeaving = false
    const following = (async () => {
      let lastId = '0'
      for (let turn = 0; !isLeaving; turn += 1) {
        current = await openEventSource(door(turn), '/api/deployments/live', {
          'Last-Event-ID': lastId,
        }).catch(() => null)
        const error = await current?.ended.catch((error: Error) => error)
        if (/does not describe/.test(error?.message ?? '')) throw error
        const messages = current?.messages ?? []
        for (const { event, data } of messages)
          if (event === 'deployment') told.push(toldBy(JSON.parse(data ?? '')))
        lastId = messages.findLast(({ id }) => id !== null)?.id ?? lastId
        current = null
        await Bun.sleep(20)
      }
    })()
    return {
      received: () =>
        told.length + (current?.messages.filter(({ event }) => event === 'deployment').length ?? 0),
      async stop() {
        isLeaving = true
        current?.close()
        await following
        return told
      },
    }
  }

  async function readAtom(): Promise<Told[]> {
    return await readPages('/feed.atom', (text) => {
      const elements = elementsOf(text)
      const starts = elements.flatMap(({ name }, n) => (name === 'entry' ? [n] : []))
      const entries = starts.map((start, n) => entryOf(elements.slice(start, starts[n + 1])))
      return { told: entries, next: linkOf(elements, 'next') }
    })
  }

  async function readJsonFeed(): Promise<Told[]> {
    return await readPages('/feed.json', (text) => {
      const { items, next_url: next = null } = JSON.parse(text)
      const told = items.map((item: Record<string, string> & { tags?: string[] }) => ({
        page: item.id,
        message: item.content_text,
        url: item.external_url ?? null,
        category: item.tags?.[0] ?? null,
        published: item.date_published,
      }))
      return { told, next }
    })
  }

  async function readList(): Promise<Told[]> {
    return await readPages('/api/deployments?limit=100', (text) => {
      const { deployments, older } = JSON.parse(text)
      return { told: deployments.map(toldBy), next: older }
    })
  }

  /** All entries of the linked older pages; each page is requested until a process answers. */
  async function readPages(first: string, parse: (text: string) => { told: Told[]; next: string | null }) {
    const all: Told[] = []
    let path: string | null = first
    for (let turn = 0; path !== null; turn += 1) {
      const response: Response | null = await door(turn)
        .fetch(path)
        .catch(() => null)
      const text: string | null = (await response?.text().catch(() => null)) ?? null
      if (response?.status !== 200 || text === null) {
        await Bun.sleep(20)
        continue
      }
      const { told, next } = parse(text)
      all.push(...told)
      path = next === null ? null : next.replace(ofTestServer, '')
    }
    return all
  }

  function door(turn: number): Door {
    return doors[turn % 2] as Door
  }
})

type Listed = Readonly<Record<'page' | 'message' | 'deployed_at', string>> &
  Readonly<Record<'url' | 'category', string | null>>

function toldBy({ page, message, url, category, deployed_at: published }: Listed): Told {
  return { page, message, url, category, published }
}

function entryOf(elements: readonly Element[]): Told {
  const textOf = (name: string) => elements.find((element) => element.name === name)?.text ?? ''
  return {
    page: textOf('id'),
    message: messageIn(textOf('content')) ?? '',
    url: linkOf(elements, 'related'),
    category: elements.find(({ name }) => name === 'category')?.attributes.term ?? null,
    published: textOf('published'),
  }
}

function linkOf(elements: readonly Element[], rel: string): string | null {
  return (
    elements.find(({ name, attributes }) => name === 'link' && attributes.rel === rel)?.attributes.href ??
    null
  )
}

function idOf({ page }: Told): number {
  return Number(page.split('/').at(-1))
}
