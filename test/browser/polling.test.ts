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

browserTest('where no stream is left a page asks every 20 seconds', async (visitor) => {
  const ada = await signUpPoster(full)
  const { id } = (await (await ada.announce({ message: 'before' })).json()) as { id: number }
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

browserTest('a page that polls takes a stream when there is room again', async (visitor) => {
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

browserTest('a page that comes back when no stream is left polls', async (visitor) => {
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
  'a page that lost its stream to others goes on by polling',
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

/** The timer is the page's own; its clock is ours. */
async function waitTwentySeconds(page: Page): Promise<void> {
  await page.clock.fastForward('00:20')
}
