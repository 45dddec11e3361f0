import { beforeEach, expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { openLive, outline, untilReads, untilState, waiting } from '../support/browser/live-page.ts'
import { browserTest } from '../support/browser/visitor.ts'
import { emptyDatabase } from '../support/database.ts'
import type { Poster } from '../support/people.ts'
import { signUpPoster } from '../support/people.ts'
import { useService } from '../support/service.ts'

const service = await useService()
beforeEach(() => emptyDatabase(service.db))

browserTest('arrivals on a paused page wait behind a button that shows them', async (visitor) => {
  const ada = await signUpPoster(service)
  for (const message of ['earlier', 'before']) await ada.announce({ message })
  const page = await openLive(visitor, service.url)
  await page.click('#pause')
  await untilState(page, 'Paused')
  expect(await page.locator('#pause').textContent()).toBe('Resume')

  await ada.announce({ message: 'one' })
  await untilReads(() => waiting(page), '1 new deployment')
  await ada.announce({ message: 'two' })
  await ada.announce({ message: 'three' })
  await untilReads(() => waiting(page), '3 new deployments')
  expect(await outline(page)).toEqual(['# Today', 'before', 'earlier'])

  await page.click('#waiting')
  expect(await outline(page)).toEqual(['# Today', 'three', 'two', 'one', 'before', 'earlier'])
  expect(await waiting(page)).toBe(null)
  await untilState(page, 'Paused')
  await ada.announce({ message: 'four' })
  await untilReads(() => waiting(page), '1 new deployment')

  await page.click('#pause')
  await untilState(page, 'Live')
  expect(await page.locator('#pause').textContent()).toBe('Pause')
  expect(await outline(page)).toEqual(['# Today', 'four', 'three', 'two', 'one', 'before', 'earlier'])
  await ada.announce({ message: 'five' })
  await untilReads(async () => (await outline(page))[1], 'five')
})

browserTest('nothing on the page moves when an arrival begins to wait', async (visitor) => {
  const ada = await signUpPoster(service)
  for (const message of ['earlier', 'before']) await ada.announce({ message })
  const page = await openLive(visitor, service.url)
  const place = () => page.locator('#deployments').boundingBox()
  await page.click('#pause')
  const before = await place()
  await ada.announce({ message: 'one' })
  await untilReads(() => waiting(page), '1 new deployment')
  expect(await place()).toEqual(before)
})

browserTest('waiting entries get their day and age when they are shown', async (visitor) => {
  const ada = await signUpPoster(service)
  for (const message of ['earlier', 'before']) await ada.announce({ message })
  await visitor.context.clock.install()
  const page = await openLive(visitor, service.url)
  await page.click('#pause')
  await ada.announce({ message: 'one' })
  await untilReads(() => waiting(page), '1 new deployment')
  await page.clock.fastForward('05:10')
  await page.click('#waiting')
  expect(await outline(page)).toEqual(['# Today', 'one', 'before', 'earlier'])
  expect(await page.locator('.age').first().textContent()).toBe('5 min ago')
})

browserTest('withdrawn deployments no longer wait', async (visitor) => {
  const ada = await signUpPoster(service)
  for (const message of ['earlier', 'before']) await ada.announce({ message })
  const page = await openLive(visitor, service.url)
  await page.click('#pause')
  const id = await ada.announced({ message: 'one' })
  await ada.announce({ message: 'two' })
  await untilReads(() => waiting(page), '2 new deployments')
  await ada.send(`/${ada.username}/${id}/delete`, {})
  await untilReads(() => waiting(page), '1 new deployment')
  await page.click('#pause')
  expect(await outline(page)).toEqual(['# Today', 'two', 'before', 'earlier'])
})

for (const path of ['/', '/<username>']) {
  browserTest(
    `nothing moves for a reader further down ${path}, and new entries are at the top`,
    async (visitor) => {
      const ada = await signUpPoster(service)
      await announceMany(ada, 25)
      const page = await openLive(visitor, service.url + path.replace('<username>', ada.username))
      await scrollTo(page, 12)
      const place = () => page.locator('#deployments .entry').nth(12).boundingBox()
      const before = await place()
      await ada.announce({ message: 'new' })
      await untilReads(() => waiting(page), '1 new deployment')
      await untilState(page, 'Live')
      expect(await place()).toEqual(before)
      expect((await outline(page))[1]).toBe('24')

      await page.evaluate('scrollTo({ top: 0, behavior: "instant" })')
      await untilReads(async () => (await outline(page)).slice(0, 3), ['# Today', 'new', '24'])
      expect(await waiting(page)).toBe(null)
    },
  )
}

browserTest('the button is visible further down, and scrolls to what it shows', async (visitor) => {
  const ada = await signUpPoster(service)
  await announceMany(ada, 25)
  const page = await openLive(visitor, `${service.url}/${ada.username}`)
  await scrollTo(page, 24)
  await ada.announce({ message: 'new' })
  await untilReads(() => waiting(page), '1 new deployment')
  const box = await page.locator('#waiting').boundingBox()
  expect(box?.y).toBeWithin(0, 100)
  await page.click('#waiting')
  expect((await outline(page))[1]).toBe('new')
  await untilReads(async () => {
    const entry = await page.locator('#deployments .entry').first().boundingBox()
    return entry !== null && entry.y >= 0 && entry.y + entry.height <= 800
  }, true)
  expect(
    await page.evaluate('document.activeElement.closest(".entry").querySelector(".subject").textContent'),
  ).toBe('new')
})

browserTest('nothing moves under a pointer until it has rested for 5 seconds or left', async (visitor) => {
  const ada = await signUpPoster(service)
  await announceMany(ada, 3)
  await visitor.context.clock.install()
  const page = await openLive(visitor, service.url)
  await page.locator('.entry .meta a').first().hover()
  await ada.announce({ message: 'one' })
  await untilReads(() => waiting(page), '1 new deployment')
  await page.clock.fastForward('00:06')
  await untilReads(async () => (await outline(page))[1], 'one')

  await page.locator('.entry .meta a').nth(1).hover()
  await ada.announce({ message: 'two' })
  await untilReads(() => waiting(page), '1 new deployment')
  await page.locator('h1').hover()
  await untilReads(async () => (await outline(page))[1], 'two')
})

browserTest('two clicks on "Older deployments" show them once', async (visitor) => {
  const ada = await signUpPoster(service)
  await announceMany(ada, 60)
  const page = await openLive(visitor, service.url)
  await page.dblclick('text=Older deployments')
  await untilReads(async () => (await outline(page)).length, 1 + 50)
  await page.click('text=Older deployments')
  const numbers = Array.from({ length: 60 }, (_, index) => `${59 - index}`)
  await untilReads(() => outline(page), ['# Today', ...numbers])
})

browserTest('older deployments appear once below a list that stays live', async (visitor) => {
  const ada = await signUpPoster(service)
  await announceMany(ada, 60)
  const page = await openLive(visitor, service.url)
  for (const message of ['new 1', 'new 2']) {
    await ada.announce({ message })
    await page.click('text=Older deployments')
    await page.evaluate('scrollTo({ top: 0, behavior: "instant" })')
    await untilReads(async () => (await outline(page))[1], message)
  }
  const numbers = Array.from({ length: 60 }, (_, index) => `${59 - index}`)
  await untilReads(() => outline(page), ['# Today', 'new 2', 'new 1', ...numbers])
  expect(await page.locator('text=Older deployments').count()).toBe(0)
})

async function scrollTo(page: Page, entry: number): Promise<void> {
  await page.evaluate(
    `document.querySelectorAll('#deployments .entry')[${entry}].scrollIntoView({ behavior: 'instant' })`,
  )
}

async function announceMany(poster: Poster, count: number): Promise<void> {
  for (let number = 0; number < count; number++) await poster.announce({ message: `${number}` })
}
