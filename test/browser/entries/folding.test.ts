import { beforeEach, expect } from 'bun:test'
import { sql } from 'drizzle-orm'
import type { Page } from 'playwright-core'
import { untilState } from '../../support/browser/live-page.ts'
import { browserTest, type Visitor } from '../../support/browser/visitor.ts'
import { emptyDatabase, query } from '../../support/database.ts'
import { signUpPoster } from '../../support/people.ts'
import { useService } from '../../support/service.ts'

const service = await useService()
beforeEach(() => emptyDatabase(service.db))

const lines = Array.from({ length: 30 }, (_, n) => `this is line ${n}`).join('\n')

async function openFeed(visitor: Visitor, messages: readonly string[]): Promise<Page> {
  const ada = await signUpPoster(service)
  for (const message of messages) expect((await ada.announce({ message })).status).toBe(201)
  return await visitor.open(service.url)
}

/** How many lines of its body the first entry shows. */
async function linesDrawn(page: Page): Promise<number> {
  return await page.evaluate(`(() => {
    const lines = document.querySelector('.body > .lines')
    return Math.round(lines.offsetHeight / parseFloat(getComputedStyle(lines).lineHeight))
  })()`)
}

for (const javaScriptEnabled of [true, false]) {
  browserTest(
    `a long message is folded until the keyboard asks for more, ${javaScriptEnabled ? 'with' : 'without'} scripts`,
    async (visitor) => {
      const page = await openFeed(visitor, [lines])
      expect(await linesDrawn(page)).toBe(3)
      await page.focus('.folded summary')
      expect(await page.locator('.folded summary > span:visible').innerText()).toBe('26 more lines')
      await page.keyboard.press('Enter')
      expect(await linesDrawn(page)).toBe(29)
      expect(await page.locator('.folded summary > span:visible').innerText()).toBe('Show less')
      await page.keyboard.press('Enter')
      expect(await linesDrawn(page)).toBe(3)
    },
    { javaScriptEnabled },
  )
}

browserTest('on the pages of one person a message shows one line', async (visitor) => {
  const ada = await signUpPoster(service)
  await ada.announce({ message: lines })
  const page = await visitor.open(`${service.url}/${ada.username}`)
  expect(await linesDrawn(page)).toBe(1)
  expect(await page.locator('.folded summary').innerText()).toBe('28 more lines')
})

browserTest(
  'folded messages are as wide as their column, and their links stand at its edge',
  async (visitor) => {
    const page = await openFeed(visitor, [lines, `x${'\n* a'.repeat(9)}`, `x\n\n${'many words '.repeat(99)}`])
    for (const path of ['/', await page.getAttribute('.meta > .quiet', 'href')]) {
      await page.goto(`${service.url}${path}`)
      const edges = await page.evaluate<number[]>(
        `['.subject', '.body', '.body > .lines', '.body summary'].flatMap((part) => [...document.querySelectorAll(part)]
        .map((each) => Math.round(each.getBoundingClientRect()[part.endsWith('lines') ? 'left' : 'right'])))`,
      )
      expect(edges).toHaveLength(12)
      expect(new Set(edges).size).toBe(2)
      expect(await page.locator('.body > .lines').nth(1).innerText()).toBe('a a a a a a a a a')
    }
  },
)

browserTest(
  'a fold counts hidden lines, or where it hides none, those that it runs together',
  async (visitor) => {
    const page = await openFeed(visitor, [`x${'\n* a'.repeat(9)}`, `x\n${'many words '.repeat(27)}\nb\nc`])
    const labels = () => page.locator('.folded summary .more').allInnerTexts()
    expect(await labels()).toEqual(['3 more lines', '9 lines'])
    const isCut = `[...document.querySelectorAll('.folded > .lines')].map((lines) => lines.scrollHeight > lines.clientHeight)`
    expect(await page.evaluate<boolean[]>(isCut)).toEqual([true, false])
  },
)

browserTest('a long name makes way for the environment and the version', async (visitor) => {
  const ada = await signUpPoster(service, { name: 'Wilhelmina Augusta Featherstonehaugh-Cholmondeley' })
  const url = 'https://github.com/ada/a-repository-with-a-long-name/commit/a89852ad5e6f7a8'
  await ada.announce({ message: 'feat: x', url, environment: 'preproduction', version: '2026.11.28-rc' })
  const page = await visitor.open(service.url)
  for (const width of [1280, 660, 390]) {
    await page.setViewportSize({ width, height: 800 })
    const cut = await page.evaluate<string[]>(
      `[...document.querySelectorAll('.release > *')].filter((part) => part.scrollWidth > part.clientWidth).map((part) => part.textContent)`,
    )
    expect(cut).toEqual([])
  }
})

browserTest('the items of a right-to-left list stand at the side of its marks', async (visitor) => {
  const page = await openFeed(visitor, ['إصلاحات\n\n- تمت إضافة\n- nginx تحديث'])
  const edges = await page.evaluate<number[]>(`[...document.querySelectorAll('.body li')].map((item) => {
    const range = document.createRange()
    range.selectNodeContents(item)
    return Math.round(range.getBoundingClientRect().right)
  })`)
  expect(new Set(edges).size).toBe(1)
  const bare = await openFeed(visitor, [
    'Add Bruno\n\n- https://www.usebruno.com\n- https://github.com/usebruno/bruno',
  ])
  const tops = await bare.evaluate<number[]>(
    `[...document.querySelectorAll('.body li > a')].map((link) => link.getBoundingClientRect().top)`,
  )
  expect((tops[1] ?? 0) - (tops[0] ?? 0)).toBeGreaterThanOrEqual(24)
})

browserTest('a folded message is selected, copied and read out as a whole', async (visitor) => {
  const page = await openFeed(visitor, [lines])
  await page.evaluate("getSelection().selectAllChildren(document.querySelector('.body > .lines'))")
  const [, ...body] = lines.split('\n')
  expect((await page.evaluate<string>('String(getSelection())')).trim().split(/\s*\n\s*|(?<=\d) /)).toEqual(
    body,
  )
  expect(await page.locator('.body').ariaSnapshot()).toContain('line 29')
})

browserTest('a folded link is visible while it has the focus', async (visitor) => {
  const page = await openFeed(visitor, [`${lines}\nhttps://ada.example/`])
  await page.focus('.subject a')
  await page.keyboard.press('Tab')
  expect(await page.evaluate('document.activeElement.href')).toBe('https://ada.example/')
  expect(await linesDrawn(page)).toBe(30)
  await page.keyboard.press('Tab')
  expect(await linesDrawn(page)).toBe(3)
})

browserTest(
  'a long name and a long host share one line with the age, the label and the link',
  async (visitor) => {
    const ada = await signUpPoster(service, { name: 'W'.repeat(50) })
    const hosts = [
      `${'a'.repeat(50)}.${'b'.repeat(50)}.example.com`,
      `github.com/${'c'.repeat(39)}/${'d'.repeat(90)}`,
    ]
    for (const host of hosts) await ada.announce({ message: 'feat: x', url: `https://${host}/` })
    const page = await visitor.open(service.url)
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(320)
    for (const meta of await page.locator('.meta').all()) {
      expect((await meta.boundingBox())?.height).toBe(24)
      for (const part of await meta.locator('time, .category, .reference').all()) {
        const { x = 0, width = 0 } = (await part.boundingBox()) ?? {}
        expect(x).toBeGreaterThan(0)
        expect(width).toBeGreaterThan(20)
        expect(x + width).toBeLessThanOrEqual(320)
      }
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
    `no message takes more than 14 lines of the list at ${width} pixels`,
    async (visitor) => {
      const bodies = endless.map((message) => `x\n${message.replace(/^a/, '')}`)
      const page = await openFeed(visitor, [...endless, ...bodies])
      const heights = await page.evaluate<number[]>(
        "[...document.querySelectorAll('.entry')].map((entry) => entry.offsetHeight)",
      )
      expect(heights).toHaveLength(2 * endless.length)
      expect(Math.max(...heights)).toBeLessThanOrEqual(14 * 22)
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
    },
    { viewport: { width, height: 800 } },
  )
}

browserTest('stacked marks in a name cover nothing else', async (visitor) => {
  const ada = await signUpPoster(service)
  await ada.announce({ message: 'below' })
  const name = (text: string) =>
    query(service.db, sql`update users set name = ${text} where username = ${ada.username}`)
  const page = await visitor.open(service.url)
  const above = async () => {
    await page.reload()
    await untilState(page, 'Live')
    const { y = 0 } = (await page.locator('.meta').boundingBox()) ?? {}
    // Only the heading of the day: a browser draws the round dots above it with slightly different pixels each time.
    return await page.screenshot({ clip: { x: 0, y: y - 30, width: 600, height: 26 } })
  }
  await name('Zoe')
  const before = await above()
  await name(`Zoe${'\u0301'.repeat(50)}`)
  expect((await above()).equals(before)).toBe(true)
})

browserTest('headline and body of a right-to-left message begin at the same edge', async (visitor) => {
  const page = await openFeed(visitor, [
    `إصلاح خطأ في تسجيل الدخول\n\n${'تمت إضافة اختبارات جديدة وتحسين الأداء '.repeat(20)}`,
    'إصلاح خطأ\n\nسطر ثان',
  ])
  for (const width of [1280, 360]) {
    await page.setViewportSize({ width, height: 800 })
    const edges = await page.evaluate<number[]>(
      "[...document.querySelectorAll('.subject > a, .body > .lines')].map((part) => part.getBoundingClientRect().right)",
    )
    expect(edges).toHaveLength(4)
    expect(new Set(edges).size).toBe(1)
  }
})

browserTest('paper has the messages, and nothing that works only on a screen', async (visitor) => {
  const ada = await signUpPoster(service)
  for (const message of [lines, 'one']) await ada.announce({ message, url: 'https://github.com/ada/engine' })
  for (const path of ['/', `/${ada.username}`]) {
    const page = await visitor.open(service.url + path)
    await page.emulateMedia({ media: 'print' })
    const usable = 'button, input, select, summary, nav a, .skip, .search, .follow, .embed-fold'
    expect(await page.locator(`:is(${usable}):visible`).count()).toBe(0)
    expect(await page.locator('.entry:visible').count()).toBe(2)
    await page.close()
  }
})
