import { afterAll, beforeEach, expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { openLive, outline, setHidden, untilReads, untilState } from '../support/browser/live-page.ts'
import { browserTest } from '../support/browser/visitor.ts'
import { emptyDatabase } from '../support/database.ts'
import { signUpPoster } from '../support/people.ts'
import { startFaultProxy } from '../support/postgres/fault-proxy.ts'
import { startService, useService } from '../support/service.ts'

const service = await useService({ STREAMS_PER_ADDRESS: '1' })
const full = await startService({ STREAMS_PER_ADDRESS: '0' })
beforeEach(() => emptyDatabase(service.db))
afterAll(full.close)

const polling = 'Every 20 seconds'

browserTest('if no stream is free, a page polls every 20 seconds', async (visitor) => {
  const ada = await signUpPoster(full)
  const id = await ada.announced({ message: 'before' })
  await visitor.context.clock.install()
  const page = await visitor.open(full.url)
  await untilState(page, polling)
  for (const message of ['one', 'two', 'three']) await ada.announce({ message })
  await waitTwentySeconds(page)
  await untilReads(() => outline(page), ['# Today', 'three', 'two', 'one', 'before'])

  await ada.send(`/${ada.username}/${id}/delete`, {})
  await waitTwentySeconds(page)
  await untilReads(() => outline(page), ['# Today', 'three', 'two', 'one'])
  await ada.announce({ message: 'four' })
  await waitTwentySeconds(page)
  await untilReads(() => outline(page), ['# Today', 'four', 'three', 'two', 'one'])
  await untilState(page, polling)
})

browserTest('polls show where deployments are missing', async (visitor) => {
  const ada = await signUpPoster(full)
  await ada.announce({ message: 'before' })
  await visitor.context.clock.install()
  const page = await visitor.open(full.url)
  await untilState(page, polling)
  for (let count = 1; count <= 101; count++) await ada.announce({ message: `${count}` })
  await waitTwentySeconds(page)
  const last100 = Array.from({ length: 100 }, (_, index) => `${101 - index}`)
  await untilReads(() => outline(page), ['# Today', ...last100, '…', 'before'])
})

browserTest('polls continue after withdrawals by others, and show no gap for them', async (visitor) => {
  const [ada, other] = [await signUpPoster(full), await signUpPoster(full)]
  await ada.announce({ message: 'before' })
  await visitor.context.clock.install()
  const page = await visitor.open(`${full.url}/${ada.username}`)
  await untilState(page, polling)
  const asked: string[] = []
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url())
    if (pathname === '/feed/live') asked.push(searchParams.get('after') ?? '')
  })
  const ids: number[] = []
  for (let n = 0; n < 101; n += 1) ids.push(await other.announced({ message: 'x' }))
  for (const id of ids) await other.send(`/${other.username}/${id}/delete`, {})
  for (let n = 1; n <= 3; n += 1) {
    await waitTwentySeconds(page)
    await untilReads(async () => asked.length, n)
    await untilState(page, polling)
  }
  // On a busy machine, the next poll may be due before the last one is answered.
  const isPast = async () => {
    await waitTwentySeconds(page)
    return Number(asked.at(-1)) > (ids.at(-1) ?? 0)
  }
  await untilReads(isPast, true)
  expect(await outline(page)).toEqual(['# Today', 'before'])
})

browserTest('a page that polls gets a stream as soon as one is free', async (visitor) => {
  const ada = await signUpPoster(service)
  await visitor.context.clock.install()
  const first = await openLive(visitor, service.url)
  const second = await visitor.open(service.url)
  await untilState(second, polling)
  await first.close()
  await untilReads(async () => service.streams.count, 0)
  await waitTwentySeconds(second)
  await untilState(second, 'Live')
  await ada.announce({ message: 'live again' })
  await untilReads(() => outline(second), ['# Today', 'live again'])
})

browserTest('a page that comes back polls while no stream is free', async (visitor) => {
  const ada = await signUpPoster(service)
  await visitor.context.clock.install()
  const page = await openLive(visitor, service.url)
  await setHidden(page, true)
  await untilReads(async () => service.streams.count, 0)
  const other = await service.fetch('/feed/live', { headers: { Accept: 'text/event-stream' } })
  await setHidden(page, false)
  await untilState(page, polling)
  await ada.announce({ message: 'by polling' })
  await waitTwentySeconds(page)
  await untilReads(() => outline(page), ['# Today', 'by polling'])
  await other.body?.cancel()
})

browserTest(
  'a page that lost its stream to others continues by polling',
  async (visitor) => {
    const ada = await signUpPoster(service)
    const proxy = await startFaultProxy(service.url)
    await visitor.context.clock.install()
    const page = await openLive(visitor, proxy.url)
    await proxy.close()
    await untilReads(async () => service.streams.count, 0)
    const other = await service.fetch('/feed/live', { headers: { Accept: 'text/event-stream' } })
    expect(other.status).toBe(200)
    await proxy.open()
    await ada.announce({ message: 'by polling' })
    await untilReads(async () => {
      await page.clock.fastForward('01:00')
      // An attempt takes real time.
      await Bun.sleep(200)
      return await page.locator('#live-state').textContent()
    }, polling)
    await untilReads(() => outline(page), ['# Today', 'by polling'])
    await other.body?.cancel()
    await proxy.close()
  },
  { expected: [/status of (429|503)/, /net::ERR_/, /htmx:(sse:)?error/, /Failed to fetch/] },
)

/** The page's own timer fires, because the test moves the page's clock. */
async function waitTwentySeconds(page: Page): Promise<void> {
  await page.clock.fastForward('00:20')
}
