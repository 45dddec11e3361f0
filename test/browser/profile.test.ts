import { afterAll, beforeAll, expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { day, utcDayOf } from '../../src/domain/time.ts'
import { openLive, outline, untilReads, untilState } from '../support/browser/live-page.ts'
import { browserTest, follow } from '../support/browser/visitor.ts'
import { passMidnight } from '../support/eventually.ts'
import { type Poster, signUpPoster } from '../support/people.ts'
import { startService } from '../support/service.ts'

const service = await startService()
let ada: Poster
beforeAll(async () => {
  // The deployments below must still be of today in every test.
  await passMidnight(30_000)
  ada = await signUpPoster(service)
  for (const url of ['https://github.com/ada/engine/pull/1', 'https://app.example.com']) {
    await ada.announce({ message: 'A deployment', url })
  }
})
afterAll(service.close)

const address = () => `${service.url}/${ada.username}`
const said = (page: Page) => page.locator('#heat-day').textContent()

browserTest('the arrow keys move over the days of the heat map, and each is announced', async (visitor) => {
  const page = await visitor.open(address())
  await page.locator('.days [tabindex="0"]').focus()
  expect(await said(page)).toBe(`${dayInWords(0)}: 2 deployments`)
  const walk = [
    ['ArrowUp', 1],
    ['ArrowLeft', 8],
    ['ArrowDown', 7],
    ['ArrowRight', 0],
    ['ArrowRight', 0],
    ['Home', 364],
    ['ArrowUp', 364],
    ['End', 0],
  ] as const
  for (const [key, daysAgo] of walk) {
    await page.keyboard.press(key)
    expect(await said(page)).toStartWith(`${dayInWords(daysAgo)}: `)
    expect(await page.locator('.year [tabindex="0"]').count()).toBe(1)
  }
})

browserTest('the day under the pointer is named below', async (visitor) => {
  const page = await visitor.open(address())
  await page.locator('.days rect').last().hover()
  expect(await said(page)).toBe(`${dayInWords(0)}: 2 deployments`)
})

browserTest('a day with rollbacks says so', async (visitor) => {
  const grace = await signUpPoster(service)
  for (const version of ['v1', 'v2', 'v1']) {
    await grace.announced({ message: 'One', project: 'engine', environment: 'production', version })
  }
  const page = await visitor.open(`${service.url}/${grace.username}`)
  await page.locator('.days rect').last().hover()
  expect(await said(page)).toBe(`${dayInWords(0)}: 3 deployments, 1 rollback`)
  await grace.announced({ message: 'One', project: 'engine', environment: 'production', version: 'v0' })
  await grace.announced({ message: 'One', project: 'engine', environment: 'production', version: 'v1' })
  await page.reload()
  await page.locator('.days rect').last().hover()
  expect(await said(page)).toBe(`${dayInWords(0)}: 5 deployments, 2 rollbacks`)
})

browserTest('a screen reader finds each day from the first deployment on as a link', async (visitor) => {
  const page = await visitor.open(address())
  const browser = await visitor.context.newCDPSession(page)
  const { nodes } = await browser.send('Accessibility.getFullAXTree')
  const links = nodes.filter(({ role }) => role?.value === 'link').map(({ name }) => name?.value)
  expect(links).toContain(`${dayInWords(0)}: 2 deployments`)
  expect(links).not.toContain(`${dayInWords(1)}: none`)
})

browserTest('only a day that has a list is a link, also once history is added', async (visitor) => {
  const grace = await signUpPoster(service)
  await grace.announce({ message: 'A deployment', url: 'https://app.example.com' })
  const page = await openLive(visitor, `${service.url}/${grace.username}`)
  const links = () => page.locator('.days a').count()
  const leading = () => page.locator('.days a[href]').count()
  expect([await links(), await leading(), await page.locator('.days > *').count()]).toEqual([1, 1, 365])
  await page.locator('.days [tabindex="0"]').focus()
  await page.keyboard.press('ArrowUp')
  const item = {
    message: 'Before',
    version: 'v0',
    deployed_at: new Date(Date.now() - 10 * day).toISOString(),
  }
  const added = await service.fetch('/api/history', {
    method: 'POST',
    headers: { Authorization: `Bearer ${grace.token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify([item]),
  })
  expect(added.status).toBe(200)
  await grace.announce({ message: 'After', url: 'https://app.example.com' })
  await untilReads(links, 11)
  expect(await leading()).toBe(11)
  expect(await page.locator('.days [tabindex="0"]').count()).toBe(1)
})

browserTest('what the badge of a project means stands in the line below it', async (visitor) => {
  const page = await visitor.open(`${address()}/github.com/ada/engine`)
  const [badge, hint, meaning] = await Promise.all(
    ['.badge', '.hint', '+ #overview > .meaning'].map((part) =>
      page.locator(`.project-head ${part.startsWith('+') ? part : `> ${part}`}`).boundingBox(),
    ),
  )
  expect(Math.round(meaning?.y ?? 0)).toBe(Math.round(hint?.y ?? 1))
  expect((meaning?.y ?? 0) - (badge?.y ?? 0) - (badge?.height ?? 0)).toBeLessThan(16)
})

browserTest('Enter on a day lists it, and keeps it ringed', async (visitor) => {
  const page = await visitor.open(address())
  await page.locator('.days [tabindex="0"]').focus()
  await page.keyboard.press('Enter')
  await page.waitForURL(/\?on=/)
  await page.locator('.cell.chosen').waitFor()
  expect(new URL(page.url()).search).toBe(`?on=${new Date().toISOString().slice(0, 10)}`)
  expect(await page.locator('.entry time.clock').count()).toBe(2)
})

browserTest(
  'on a phone the year scrolls inside its panel, starting at its end, and the page does not',
  async (visitor) => {
    const page = await visitor.open(address())
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320)
    expect(await page.evaluate("document.querySelector('.year').scrollWidth")).toBeGreaterThan(600)
    const map = await page.locator('.year').boundingBox()
    const today = await page.locator('.days rect').last().boundingBox()
    expect(today?.x).toBeLessThan((map?.x ?? 0) + (map?.width ?? 0))
    expect(today?.x).toBeGreaterThan(map?.x ?? 0)
  },
  { viewport: { width: 320, height: 640 } },
)

browserTest(
  'without scripts everything is there, including the list of days',
  async (visitor) => {
    const page = await visitor.open(address())
    await page.getByText('As a list').focus()
    await page.keyboard.press('Enter')
    await page.waitForURL(/\?year=list/)
    expect(await page.locator('.by-month dd').last().textContent()).toMatch(todayInMonth())
    expect(await page.locator('.by-month dd').last().isVisible()).toBe(true)
    expect(await page.locator('.statistics').textContent()).toContain('too early to tell')
    await follow(page, '.targets >> a:has-text("ada/engine")')
    expect(new URL(page.url()).pathname).toEndWith('/github.com/ada/engine')
    expect(await page.locator('.entry').count()).toBe(1)
    await follow(page, '.as-list a')
    await follow(page, '.by-month a')
    expect(await page.locator('.entry time.clock').count()).toBe(1)
    await page.getByText('All days').click()
    expect(new URL(page.url()).search).toBe('')
  },
  { javaScriptEnabled: false },
)

function dayInWords(daysAgo: number): string {
  const day = new Date((utcDayOf(new Date()) - daysAgo) * 86_400_000)
  return day.toLocaleDateString('en-GB', { day: 'numeric', month: 'long', timeZone: 'UTC' })
}

function todayInMonth(): RegExp {
  return new RegExp(`^${new Date().getUTCDate()}(st|nd|rd|th): 2$`)
}

browserTest(
  'on a phone without scripts, three projects are shown and the badge is closed at first',
  async (visitor) => {
    const grace = await signUpPoster(service)
    for (const n of [1, 2, 3, 4]) await grace.announce({ message: 'x', url: `https://t${n}.example` })
    const page = await visitor.open(`${service.url}/${grace.username}`)
    expect(await page.locator('.targets a:visible').count()).toBe(3)
    expect(await page.locator('#embed').isVisible()).toBe(false)
    await page.click('text=All 4')
    await page.click('summary >> text=Badge')
    expect(await page.locator('.targets a:visible').count()).toBe(4)
    expect(await page.locator('#embed').isVisible()).toBe(true)
    await page.setViewportSize({ width: 1280, height: 800 })
    expect(await page.locator('summary:visible >> text=/All|Badge/').count()).toBe(0)
  },
  { javaScriptEnabled: false, viewport: { width: 390, height: 800 } },
)

browserTest(
  'a list of none or one offers neither filters nor a pause, until more arrives',
  async (visitor) => {
    const grace = await signUpPoster(service)
    const page = await openLive(visitor, `${service.url}/${grace.username}?category=bug_fix`)
    const offered = async () => [await page.isVisible('.filter'), await page.isVisible('#pause')]
    // This list is filtered, and its filters lead out of it.
    expect(await offered()).toEqual([true, false])
    await page.click('.filter a')
    await untilState(page, 'Live')
    expect(await offered()).toEqual([false, false])
    const first = await grace.announced({ message: 'One deployment' })
    await untilReads(() => outline(page), ['# Today', 'One deployment'])
    expect(await offered()).toEqual([false, false])
    await grace.announce({ message: 'Another one' })
    await untilReads(offered, [true, true])
    await page.click('#pause')
    await grace.send(`/${grace.username}/${first}/delete`, {})
    await untilReads(() => outline(page), ['# Today', 'Another one'])
    // A list that is paused can be resumed, however short it is.
    expect(await offered()).toEqual([false, true])
    await page.click('#pause')
    await untilReads(offered, [false, false])
    await page.goto(`${service.url}/?q=another+@${grace.username}`)
    expect(await offered()).toEqual([true, false])
  },
)
