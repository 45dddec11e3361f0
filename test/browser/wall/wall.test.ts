import { beforeEach, describe, expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { setHidden, untilReads } from '../../support/browser/live-page.ts'
import { type Memory, memoryOf } from '../../support/browser/memory.ts'
import { browserTest } from '../../support/browser/visitor.ts'
import { emptyDatabase } from '../../support/database.ts'
import { inParallel } from '../../support/parallel.ts'
import type { Poster } from '../../support/people.ts'
import { makeReadKey, signUpPoster } from '../../support/people.ts'
import { startService, useService } from '../../support/service.ts'

const service = await useService()
let ada: Poster
beforeEach(async () => {
  await emptyDatabase(service.db)
  ada = await signUpPoster(service, { name: 'Ada Lovelace' })
})

const subjects = (page: Page) => page.locator('#latest .entry:visible .subject').allTextContents()
const untilState = (page: Page, state: string) =>
  untilReads(() => page.locator('#wall-state').textContent(), state)

async function announce(message: string): Promise<number> {
  return await ada.announced({ message, url: 'https://github.com/ada/engine/pull/1' })
}

describe('a wallboard', () => {
  browserTest('shows arrivals at once, at most seven, and the numbers soon after', async (visitor) => {
    // A service that has counted nothing yet; the shared one still counts deployments that were deleted since.
    // The page is closed before it, and so does not report that it lost its service.
    await using fresh = await startService({}, service.db)
    await using page = await visitor.open(`${fresh.url}/wall`)
    await untilState(page, 'Live')
    expect(await page.locator('.wall-empty').isVisible()).toBe(true)
    for (let n = 0; n < 9; n += 1) await announce(`fix: number ${n}`)
    const shown = [8, 7, 6, 5, 4, 3, 2].map((n) => `fix: number ${n}`)
    await untilReads(() => subjects(page), shown)
    await untilReads(() => page.locator('#wall-count').textContent(), '9')
    expect(await page.locator('.wall-projects bdi').allTextContents()).toEqual(['ada/engine'])
    expect(await page.locator('.wall-empty').isVisible()).toBe(false)
  })

  browserTest('shows seven, of which successive ones by bots are one', async (visitor) => {
    const grace = await signUpPoster(service)
    const bump = (n: number) => grace.announce({ message: `Bump lodash from 4.17.${n} to 4.17.${n + 1}` })
    for (let n = 1; n <= 8; n += 1) await grace.announce({ message: `${n}` })
    for (let n = 1; n <= 3; n += 1) await bump(n)
    const page = await visitor.open(`${service.url}/wall?user=${grace.username}`)
    await untilState(page, 'Live')
    expect(await subjects(page)).toEqual(['Bump lodash from 4.17.3 to 4.17.4', ...'876543'])
    await grace.announce({ message: '9' })
    await bump(4)
    await untilReads(
      () => subjects(page),
      ['Bump lodash from 4.17.4 to 4.17.5', '9', 'Bump lodash from 4.17.3 to 4.17.4', ...'8765'],
    )
  })

  browserTest('removes a withdrawn deployment, and fills its place', async (visitor) => {
    const ids: number[] = []
    for (let n = 0; n < 8; n += 1) ids.push(await announce(`fix: number ${n}`))
    const page = await visitor.open(`${service.url}/wall`)
    await untilState(page, 'Live')
    await ada.send(`/${ada.username}/${ids[5]}/delete`, {})
    await untilReads(
      () => subjects(page),
      [7, 6, 4, 3, 2, 1, 0].map((n) => `fix: number ${n}`),
    )
  })

  browserTest(
    'says since when it has been disconnected, and catches up by itself',
    async (visitor) => {
      const first = await startService({}, service.db)
      const page = await visitor.context.newPage()
      await page.clock.install()
      await page.goto(`${first.url}/wall`)
      await untilState(page, 'Live')
      const port = Number(new URL(first.url).port)
      await first.close()
      await untilState(page, 'Reconnecting')
      expect(await page.locator('#wall-lost').isVisible()).toBe(false)
      await page.clock.fastForward(31_000)
      await untilReads(
        async () =>
          /^Reconnecting since \d\d:\d\d$/.test((await page.locator('#wall-lost').textContent()) ?? ''),
        true,
      )
      await announce('fix: while away')
      await using _ = await startService({}, service.db, port)
      await page.clock.fastForward(20_000)
      await untilReads(() => subjects(page), ['fix: while away'])
      await page.clock.fastForward(2_000)
      await untilReads(() => page.locator('#wall-lost').isVisible(), false)
    },
    { expected: [/ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED|ERR_EMPTY_RESPONSE|ERR_CONNECTION_RESET/] },
  )

  browserTest('in the background has no stream, and catches up when it is shown again', async (visitor) => {
    const page = await visitor.open(`${service.url}/wall`)
    await untilState(page, 'Live')
    await setHidden(page, true)
    await untilReads(async () => service.feed.watcherCount, 0)
    await untilState(page, 'Every minute')
    await announce('fix: meanwhile')
    await setHidden(page, false)
    await untilState(page, 'Live')
    await untilReads(() => subjects(page), ['fix: meanwhile'])
  })

  browserTest('begins a new day at midnight', async (visitor) => {
    await using fresh = await startService({}, service.db)
    await announce('fix: today')
    await using page = await visitor.context.newPage()
    await page.clock.install()
    await page.goto(`${fresh.url}/wall`)
    const count = () => page.locator('#wall-count').textContent()
    await untilReads(count, '1')
    await page.clock.fastForward('24:00:00')
    await untilReads(count, '0')
    expect(await page.locator('#latest .age').textContent()).toBe('1 d ago')
  })

  browserTest('keeps the ages of arrivals current', async (visitor) => {
    const page = await visitor.context.newPage()
    await page.clock.install()
    await page.goto(`${service.url}/wall`)
    await untilState(page, 'Live')
    await announce('fix: arrived')
    await untilReads(() => subjects(page), ['fix: arrived'])
    await page.clock.fastForward('05:20')
    await untilReads(() => page.locator('#latest .age').textContent(), '5 min ago')
  })

  browserTest('keeps an arrival while it reads its numbers', async (visitor) => {
    // One that keeps no page of the test before.
    await using fresh = await startService({}, service.db)
    await announce('fix: one')
    await using page = await visitor.context.newPage()
    await page.clock.install()
    await page.goto(`${fresh.url}/wall`)
    await untilState(page, 'Live')
    await page.evaluate("numbers = document.querySelector('#wall-side')")
    const [isRead, hasArrived] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    await page.route(`${fresh.url}/wall`, async (route) => {
      const response = await route.fetch()
      isRead.resolve()
      await hasArrived.promise
      await route.fulfill({ response })
    })
    await page.clock.fastForward('00:06')
    await isRead.promise
    await announce('fix: two')
    await untilReads(() => subjects(page), ['fix: two', 'fix: one'])
    hasArrived.resolve()
    await untilReads(() => page.evaluate('numbers.isConnected'), false)
    expect(await subjects(page)).toEqual(['fix: two', 'fix: one'])
  })

  browserTest('reloads after a new release of the server', async (visitor) => {
    await announce('fix: one')
    await visitor.context.clock.install()
    const page = await visitor.open(`${service.url}/wall`)
    await untilState(page, 'Live')
    await page.route(`${service.url}/wall`, async (route) => {
      if (route.request().resourceType() !== 'fetch') return await route.continue()
      const response = await route.fetch()
      const body = (await response.text()).replaceAll('/assets/', '/assets/newer-')
      await route.fulfill({ response, body })
    })
    const loaded = page.waitForEvent('load')
    await announce('fix: two')
    await untilReads(() => subjects(page), ['fix: two', 'fix: one'])
    await page.clock.fastForward('00:06')
    await loaded
    await untilReads(() => subjects(page), ['fix: two', 'fix: one'])
  })

  browserTest('hides a resting pointer', async (visitor) => {
    await visitor.context.clock.install()
    const page = await visitor.open(`${service.url}/wall`)
    const cursor = () => page.evaluate('getComputedStyle(document.body).cursor')
    await page.mouse.move(100, 100)
    await page.mouse.move(120, 100)
    expect(await cursor()).toBe('auto')
    await page.clock.fastForward('00:03')
    await untilReads(cursor, 'none')
  })

  browserTest('uses no more memory after three hundred arrivals than after fifty', async (visitor) => {
    await visitor.context.clock.install()
    const page = await visitor.open(`${service.url}/wall`)
    await untilState(page, 'Live')
    await announceMany(50)
    const before = await restedMemoryOf(page)
    await announceMany(250)
    const after = await restedMemoryOf(page)
    expect(after.elements).toBeLessThanOrEqual(before.elements)
    // An arrival has 20 nodes or more; those of arrivals that are no longer shown must not be kept.
    expect(after.nodes).toBeLessThan(before.nodes + 1_000)
    expect(after.heap).toBeLessThan(before.heap * 1.5)
  })

  browserTest('with VISIBILITY=members, is opened by a read key and stays live with it', async (visitor) => {
    await using closed = await startService({ VISIBILITY: 'members' })
    const member = await signUpPoster(closed)
    await member.announce({ message: 'fix: before' })
    const page = await visitor.open(`${closed.url}/wall?key=${await makeReadKey(member)}`)
    await untilState(page, 'Live')
    await member.announce({ message: 'fix: arrives' })
    await untilReads(() => subjects(page), ['fix: arrives', 'fix: before'])
    await untilReads(() => page.locator('#wall-count').textContent(), '2')
  })

  browserTest(
    'without JavaScript, reloads itself and says so',
    async (visitor) => {
      await announce('fix: still')
      const page = await visitor.open(`${service.url}/wall`)
      // The server reads what it shows at most every two seconds, for all screens.
      const loaded = async () => {
        await page.reload()
        return await subjects(page)
      }
      await untilReads(loaded, ['fix: still'])
      expect(await page.locator('#wall-state').textContent()).toContain('Reloads every minute')
      expect(await page.locator('meta[http-equiv=refresh]').getAttribute('content')).toBe('60')
      expect(await page.locator('#wall-clock').textContent()).toEndWith(' UTC')
    },
    { javaScriptEnabled: false },
  )
})

/** The memory after the numbers have been read again. */
async function restedMemoryOf(page: Page): Promise<Memory> {
  await page.clock.fastForward('00:06')
  return await memoryOf(page, 1_000)
}

async function announceMany(count: number): Promise<void> {
  await inParallel(Array.from({ length: count }), 8, async () => {
    expect((await ada.announce({ message: 'feat: one of many\n\nwith a body' })).status).toBe(201)
  })
}
