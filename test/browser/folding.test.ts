import { beforeEach, expect } from 'bun:test'
import { sql } from 'drizzle-orm'
import type { Page } from 'playwright-core'
import { browserTest, type Visitor } from '../support/browser/visitor.ts'
import { emptyDatabase, query } from '../support/database.ts'
import { signUpPoster } from '../support/people.ts'
import { useService } from '../support/service.ts'

const service = await useService()
beforeEach(() => emptyDatabase(service.db))

const lines = Array.from({ length: 30 }, (_, n) => `line ${n}`).join('\n')

async function openFeed(visitor: Visitor, messages: readonly string[]): Promise<Page> {
  const ada = await signUpPoster(service)
  for (const message of messages) expect((await ada.announce({ message })).status).toBe(201)
  return await visitor.open(service.url)
}

async function heightOf(page: Page, selector: string): Promise<number> {
  return (await page.locator(selector).boundingBox())?.height ?? 0
}

for (const javaScriptEnabled of [true, false]) {
  browserTest(
    `a long message is folded until the keyboard asks for more, ${javaScriptEnabled ? 'with' : 'without'} scripts`,
    async (visitor) => {
      const page = await openFeed(visitor, [lines])
      expect(await heightOf(page, '.message')).toBeLessThan(130)
      await page.focus('.folded summary')
      expect(await page.locator('.folded summary span:visible').textContent()).toBe('more')
      await page.keyboard.press('Enter')
      expect(await heightOf(page, '.message')).toBeGreaterThan(700)
      expect(await page.locator('.folded summary span:visible').textContent()).toBe('less')
      await page.keyboard.press('Enter')
      expect(await heightOf(page, '.message')).toBeLessThan(130)
    },
    { javaScriptEnabled },
  )
}

browserTest('all of a folded message is selected, copied and read out', async (visitor) => {
  const page = await openFeed(visitor, [lines])
  await page.evaluate("getSelection().selectAllChildren(document.querySelector('.message'))")
  expect((await page.evaluate<string>('String(getSelection())')).trim()).toBe(lines)
  expect(await page.locator('.message').ariaSnapshot()).toContain('line 29')
})

browserTest(
  'a link shows whose host it is at every width, and makes no page wider',
  async (visitor) => {
    const ada = await signUpPoster(service)
    const url = `https://${'a'.repeat(50)}.${'b'.repeat(50)}.example.com/${'long/'.repeat(60)}end?x=${'y'.repeat(300)}`
    await ada.announce({ message: 'x', url })
    await ada.announce({ message: 'y', url: `https://${'c'.repeat(63)}.example/${'d'.repeat(900)}` })
    const page = await visitor.open(service.url)
    expect(await page.locator('.host').last().textContent()).toBe('…example.com')
    expect(await page.locator('.host').first().textContent()).toBe(`…${'c'.repeat(24)}.example`)
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(320)
    for (const link of await page.locator('.posted-link').all()) {
      expect((await link.boundingBox())?.height).toBeLessThan(30)
    }
  },
  { viewport: { width: 320, height: 640 } },
)

const endless = [
  `a${'\n'.repeat(599)}`,
  `a${'\n \t'.repeat(290)}b`,
  `a${'\u2028'.repeat(590)}b`,
  `a${'\n\n\nb'.repeat(140)}`,
  'W'.repeat(590),
  '﷽'.repeat(190),
  '⸻'.repeat(190),
  `a${'\t'.repeat(590)}b`,
  `a${'\u3000'.repeat(190)}b`,
  `${'b\u0301\u0301\u0301\u0301'.repeat(100)}`,
]

for (const width of [320, 1280]) {
  browserTest(
    `no message takes more of the list than 32 lines, however it is made, at ${width} pixels`,
    async (visitor) => {
      const page = await openFeed(visitor, endless)
      const heights = await page.evaluate<number[]>(
        "[...document.querySelectorAll('.message')].map((message) => message.offsetHeight)",
      )
      expect(heights).toHaveLength(endless.length)
      expect(Math.max(...heights)).toBeLessThanOrEqual(32 * 24)
      expect(heights.at(-1)).toBeLessThanOrEqual(24)
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
    },
    { viewport: { width, height: 800 } },
  )
}

browserTest('stacked marks of a name are drawn over nothing else', async (visitor) => {
  const ada = await signUpPoster(service)
  await ada.announce({ message: 'below' })
  const name = (text: string) =>
    query(service.db, sql`update users set name = ${text} where username = ${ada.username}`)
  const page = await visitor.open(service.url)
  const above = async () => {
    await page.reload()
    const { y = 0 } = (await page.locator('.byline').boundingBox()) ?? {}
    // The margin of the clip is 4 px.
    return await page.screenshot({ clip: { x: 0, y: 0, width: 600, height: y - 4 } })
  }
  await name('Zoe')
  const before = await above()
  await name(`Zoe${'\u0301'.repeat(50)}`)
  expect((await above()).equals(before)).toBe(true)
})
