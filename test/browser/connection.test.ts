import { afterAll, beforeEach, describe, expect } from 'bun:test'
import type { Page, Route } from 'playwright-core'
import { Unavailable } from '../../src/database/errors.ts'
import {
  openLive,
  outline,
  setHidden,
  untilBack,
  untilLost,
  untilReads,
  untilState,
  waiting,
} from '../support/browser/live-page.ts'
import { browserTest, type Visitor } from '../support/browser/visitor.ts'
import { emptyDatabase, runBy } from '../support/database.ts'
import { ageDeployments } from '../support/deployments.ts'
import { signUpPoster } from '../support/people.ts'
import { type FaultProxy, startFaultProxy } from '../support/postgres/fault-proxy.ts'
import { type Service, sharedDatabase, startService } from '../support/service.ts'

let isAway = false
const store = await sharedDatabase()
const db = runBy((work) => (isAway ? Promise.reject(new Unavailable()) : store.write(work)), store)
let service: Service = await startService({}, db)
const port = Number(new URL(service.url).port)
beforeEach(() => emptyDatabase(db))
afterAll(() => service.close())

const lost = [/net::ERR_/, /htmx:(sse:)?error/, /status of 503/, /Failed to fetch/]

browserTest(
  'during a restart of the server a page says that it reconnects, and then shows what it missed',
  async (visitor) => {
    const ada = await signUpPoster(service)
    await ada.announce({ message: 'before' })
    await visitor.context.clock.install()
    const page = await openLive(visitor, service.url)
    await service.close()
    await untilState(page, 'Reconnecting')
    service = await startService({}, db, port)
    await ada.announce({ message: 'during' })
    await untilBack(page)
    await untilReads(() => outline(page), ['# Today', 'during', 'before'])
    await ada.announce({ message: 'after' })
    await untilReads(() => outline(page), ['# Today', 'after', 'during', 'before'])
  },
  { expected: lost },
)

browserTest(
  'a page in the background closes its stream, and catches up when it comes back',
  async (visitor) => {
    const ada = await signUpPoster(service)
    const page = await openLive(visitor, service.url)
    await setHidden(page, true)
    await untilReads(async () => service.feed.watcherCount, 0)
    await untilState(page, 'Reconnecting')
    await ada.announce({ message: 'during' })
    await setHidden(page, false)
    await untilState(page, 'Live')
    await untilReads(() => outline(page), ['# Today', 'during'])
  },
)

browserTest('a page that opens in the background takes no stream until it is visible', async (visitor) => {
  await visitor.context.addInitScript(
    "Object.defineProperty(document, 'hidden', { value: true, configurable: true })",
  )
  const ada = await signUpPoster(service)
  const page = await visitor.open(service.url)
  await ada.announce({ message: 'during' })
  await page.evaluate("htmx.trigger('#arrivals', 'every')")
  await untilState(page, 'Every 20 seconds')
  expect(service.feed.watcherCount).toBe(0)
  await setHidden(page, false)
  await untilState(page, 'Live')
  await untilReads(() => outline(page), ['# Today', 'during'])
})

browserTest('a page that comes back does not wait for a request from the background', async (visitor) => {
  const ada = await signUpPoster(service)
  const page = await openLive(visitor, service.url)
  await setHidden(page, true)
  await untilReads(async () => service.feed.watcherCount, 0)
  const asked = Promise.withResolvers<void>()
  await page.route('**/feed/live*', (route) => {
    if (route.request().headers().accept !== 'text/html') return route.continue()
    asked.resolve()
  })
  await page.evaluate("htmx.trigger('#arrivals', 'every')")
  await asked.promise
  await ada.announce({ message: 'during' })
  await setHidden(page, false)
  await untilState(page, 'Live')
  await untilReads(() => page.locator('.since').textContent(), '1 new since you looked, just now')
})

browserTest('a page that is shown and hidden while it connects has one stream', async (visitor) => {
  await visitor.context.route('**/feed/live*', async (route) => {
    await Bun.sleep(200)
    await route.continue()
  })
  const page = await visitor.open(service.url)
  for (const isHidden of [true, false, true, false]) await setHidden(page, isHidden)
  await untilState(page, 'Live')
  // Long enough for a second connection to open; those that were given up may take a moment to close.
  await Bun.sleep(500)
  await untilReads(async () => service.streams.count, 1)
})

browserTest('a reader who missed more than 100 deployments sees where some are missing', async (visitor) => {
  // Without polls: one would fetch some of the deployments before the page comes back.
  await visitor.context.addInitScript('setInterval = () => 0')
  const ada = await signUpPoster(service)
  await ada.announce({ message: 'before' })
  await ageDeployments(db, ada.username, 24 * 60 * 60)
  const page = await openLive(visitor, service.url)
  await setHidden(page, true)
  for (let count = 1; count <= 101; count++) await ada.announce({ message: `${count}` })
  await setHidden(page, false)
  const last100 = Array.from({ length: 100 }, (_, index) => `${101 - index}`)
  await untilReads(() => outline(page), ['# Today', ...last100, '# Yesterday', '…', 'before'])

  await page.click('#pause')
  await setHidden(page, true)
  for (let count = 1; count <= 101; count++) await ada.announce({ message: `${count}` })
  await setHidden(page, false)
  await untilReads(() => waiting(page), '100+ new deployments')
})

browserTest('while the database is unavailable, a page does not say that it is live', async (visitor) => {
  const ada = await signUpPoster(service)
  const page = await openLive(visitor, service.url)
  isAway = true
  service.feed.look()
  await untilState(page, 'Reconnecting')
  isAway = false
  service.feed.look()
  await untilState(page, 'Live')
  await ada.announce({ message: 'after' })
  await untilReads(() => outline(page), ['# Today', 'after'])
})

describe('on a failing network', () => {
  const networkTest = (name: string, body: (visitor: Visitor, proxy: FaultProxy) => Promise<void>) =>
    browserTest(
      name,
      async (visitor) => {
        const proxy = await startFaultProxy(service.url)
        await body(visitor, proxy).finally(proxy.close)
      },
      { expected: lost },
    )

  networkTest('a stream that is cut comes back, and shows each deployment once', async (visitor, proxy) => {
    const ada = await signUpPoster(service)
    await visitor.context.clock.install()
    const page = await openLive(visitor, proxy.url)
    for (const message of ['one', 'two', 'three']) {
      await proxy.close()
      await untilState(page, 'Reconnecting')
      await ada.announce({ message })
      await proxy.open()
      await untilBack(page)
    }
    await untilReads(() => outline(page), ['# Today', 'three', 'two', 'one'])
  })

  const returns = {
    'the network is back': (page: Page) => page.evaluate("dispatchEvent(new Event('online'))"),
    'the reader comes back': async (page: Page) => {
      for (const isHidden of [true, false]) await setHidden(page, isHidden)
    },
  }
  for (const [when, comeBack] of Object.entries(returns)) {
    networkTest(`a page reconnects at once when ${when}`, async (visitor, proxy) => {
      const ada = await signUpPoster(service)
      await visitor.context.clock.install()
      const page = await openLive(visitor, proxy.url)
      await page.clock.pauseAt(Date.now() + 60_000)
      await proxy.close()
      await untilLost(page)
      await proxy.open()
      await ada.announce({ message: 'during' })
      await comeBack(page)
      await untilState(page, 'Live')
      await page.clock.resume()
      await untilReads(() => outline(page), ['# Today', 'during'])
    })
  }

  networkTest('a reader who returns while the page reconnects sees what arrived', async (visitor, proxy) => {
    const ada = await signUpPoster(service)
    await visitor.context.clock.install()
    const page = await openLive(visitor, proxy.url)
    await proxy.close()
    await untilState(page, 'Reconnecting')
    await proxy.open()
    const [asked, isBack] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const answerLate = async (route: Route) => {
      const id = route.request().headers()['last-event-id']
      asked.resolve()
      await isBack.promise
      const body = `event: opening\nid: ${id}\n\nevent: caught-up\n\n`
      await route.fulfill({ headers: { 'Content-Type': 'text/event-stream' }, body })
    }
    await page.route('**/feed/live*', answerLate, { times: 1 })
    await page.clock.fastForward('00:11')
    await asked.promise
    await setHidden(page, true)
    await ada.announce({ message: 'during' })
    await setHidden(page, false)
    isBack.resolve()
    await untilState(page, 'Live')
    await untilReads(() => page.locator('.since').textContent(), '1 new since you looked, just now')
    await untilReads(async () => service.streams.count, 1)
  })

  networkTest('a connection that falls silent is noticed', async (visitor, proxy) => {
    const ada = await signUpPoster(service)
    await visitor.context.clock.install()
    const page = await openLive(visitor, proxy.url)
    const stateAfter = async (time: string) => {
      await page.clock.fastForward(time)
      // A connection takes real time to open, and the page gives it up after ten seconds of its own clock.
      await Bun.sleep(200)
      return await page.locator('#live-state').textContent()
    }
    proxy.forget()
    await ada.announce({ message: 'unheard' })
    await untilReads(() => stateAfter('00:15'), 'Reconnecting')
    // The browser may first try other connections, which are dead as well.
    await untilReads(() => stateAfter('00:09'), 'Live')
    await untilReads(() => outline(page), ['# Today', 'unheard'])
  })

  networkTest(
    'a page that finds no server at first says so, and goes live when there is one',
    async (visitor, proxy) => {
      const ada = await signUpPoster(service)
      await visitor.context.clock.install()
      await visitor.context.route('**/feed/live*', (route) => route.abort())
      const page = await visitor.open(proxy.url)
      await untilState(page, 'Reconnecting')
      await ada.announce({ message: 'during' })
      await visitor.context.unroute('**/feed/live*')
      await page.clock.fastForward('00:21')
      await untilState(page, 'Live')
      await untilReads(() => outline(page), ['# Today', 'during'])
    },
  )
})
