import { beforeEach, expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { openLive, outline, untilReads } from '../support/browser/live-page.ts'
import { browserTest } from '../support/browser/visitor.ts'
import { emptyDatabase } from '../support/database.ts'
import { signUpPoster } from '../support/people.ts'
import { useService } from '../support/service.ts'

const service = await useService()
let path = ''
beforeEach(async () => {
  await emptyDatabase(service.db)
  const ada = await signUpPoster(service)
  path = `/${ada.username}`
  for (let number = 0; number < 30; number++) await ada.announce({ message: `${number}` })
})

const busy = (page: Page) =>
  page.evaluate("[document.querySelector('.older').ariaBusy, document.querySelector('.older a').textContent]")
const focused = (page: Page) =>
  page.evaluate("document.activeElement.closest('.entry')?.querySelector('.subject').textContent ?? null")

browserTest(
  'while older deployments load, the page says so, and the focus then moves to the first',
  async (visitor) => {
    const page = await openLive(visitor, service.url)
    const gate = Promise.withResolvers<void>()
    await page.route(/before=/, async (route) => {
      await gate.promise
      await route.continue()
    })
    await page.focus('.older a')
    await page.keyboard.press('Enter')
    await untilReads(() => busy(page), ['true', 'Loading…'])
    gate.resolve()
    await untilReads(async () => (await outline(page)).length, 31)
    await untilReads(() => focused(page), '4')
    expect((await outline(page)).filter((line) => line.startsWith('#'))).toEqual(['# Today'])
  },
)

browserTest(
  'if they cannot be loaded, the page says so and offers another try',
  async (visitor) => {
    const page = await openLive(visitor, service.url)
    const advice = () => page.locator('.older [role=alert]').textContent()
    await page.route(/before=/, (route) => route.abort())
    await page.click('.older a')
    await untilReads(advice, 'The request did not reach the server. Check your connection.')
    expect(await busy(page)).toEqual(['false', 'Try again'])
    await page.unroute(/before=/)
    await page.route(/before=/, (route) => route.fulfill({ status: 503, body: 'Not now' }))
    await page.click('.older a')
    await untilReads(advice, 'The server could not answer just now.')
    await page.unroute(/before=/)
    await page.click('.older a')
    await untilReads(async () => (await outline(page)).length, 31)
  },
  { expected: [/ERR_FAILED/, /htmx:error/, /status of 503/, /Failed to fetch/] },
)

for (const of of ['the feed', 'a profile']) {
  browserTest(
    `an older page of ${of} says so, and links back to the newest`,
    async (visitor) => {
      const page = await visitor.open(service.url + (of === 'the feed' ? '/' : path))
      const first = await page.title()
      await page.click('.older a')
      await page.waitForURL(/before=/)
      expect(await page.title()).not.toBe(first)
      expect(await page.locator('.list-head').textContent()).toContain('Older deployments')
      await page.click('.newer')
      expect(await page.title()).toBe(first)
      await page.goto(`${page.url().replace(/#.*/, '')}?before=1`)
      expect(await page.locator('.empty').textContent()).toContain('No older deployments')
    },
    { javaScriptEnabled: false },
  )
}

browserTest('a search that replaces the list in the meantime keeps the focus', async (visitor) => {
  const page = await openLive(visitor, service.url)
  const gate = Promise.withResolvers<void>()
  await page.route(/before=/, async (route) => {
    await gate.promise
    await route.continue().catch(() => {})
  })
  await page.click('.older a')
  await untilReads(() => busy(page), ['true', 'Loading…'])
  await page.fill('#q', '7')
  await untilReads(async () => (await outline(page)).filter((line) => !line.startsWith('#')).length, 1)
  gate.resolve()
  await Bun.sleep(300)
  expect(await page.evaluate<string>('document.activeElement.id')).toBe('q')
})
