import { beforeEach, expect } from 'bun:test'
import { sql } from 'drizzle-orm'
import type { Page } from 'playwright-core'
import { openLive, untilReads } from '../../support/browser/live-page.ts'
import { browserTest } from '../../support/browser/visitor.ts'
import { emptyDatabase, query } from '../../support/database.ts'
import { entriesOf } from '../../support/markup.ts'
import type { Poster } from '../../support/people.ts'
import { signUpPoster } from '../../support/people.ts'
import { useService } from '../../support/service.ts'

const service = await useService()
beforeEach(() => emptyDatabase(service.db))

const url = 'https://github.com/ada/engine'
const deployed = (poster: Poster, message: string) => poster.announced({ message, url })
const bumped = (poster: Poster, n: number) => deployed(poster, `Bump x from ${n} to ${n + 1}`)

/** The subjects in the order of the list: "+" marks one that continues a run, brackets one that a fold hides. */
async function shownIn(page: Page): Promise<string> {
  return await page.evaluate<string>(`[...document.querySelectorAll('#deployments .entry')].map((entry) => {
    const name = entry.querySelector('h3').textContent.replace(/Bump x from (\\d+) to.*/, 'b$1')
    const isSeen = entry.querySelector('h3 a').checkVisibility({ visibilityProperty: true })
    const has = (selector) => entry.querySelector(selector).checkVisibility()
    const text = (has('.quiet') && has('.project') ? '' : '+') + name
    return isSeen ? text : '(' + text + ')'
  }).join(' ') + [...document.querySelectorAll('#deployments summary')].map((each) => ', ' + each.innerText).join('')`)
}

browserTest(
  'arrivals join runs and folds, and a withdrawn head is replaced by the next entry',
  async (visitor) => {
    const ada = await signUpPoster(service)
    for (const message of ['one', 'two']) await deployed(ada, message)
    const page = await openLive(visitor, service.url)
    expect(await shownIn(page)).toBe('two +one')
    const three = await deployed(ada, 'three')
    await untilReads(() => shownIn(page), 'three +two +one')
    await bumped(ada, 1)
    await untilReads(() => shownIn(page), 'b1 +three +two +one')
    const second = await bumped(ada, 2)
    await untilReads(() => shownIn(page), '(b2) (+b1) three +two +one, 2 by bots')
    await bumped(ada, 3)
    await untilReads(() => shownIn(page), '(b3) (+b2) (+b1) three +two +one, 3 by bots')
    await ada.send(`/${ada.username}/${three}/delete`, {})
    await untilReads(() => shownIn(page), '(b3) (+b2) (+b1) two +one, 3 by bots')
    await ada.send(`/${ada.username}/${second}/delete`, {})
    await untilReads(() => shownIn(page), '(b3) (+b1) two +one, 2 by bots')
    const ids = await page
      .locator('.entry')
      .evaluateAll((entries: { id: string }[]) => entries.map(({ id }) => id))
    const loaded = await entriesOf(await service.fetch('/'))
    expect(ids).toEqual(loaded.map(({ id }) => `deployment-${id}`))
  },
)

browserTest('nothing moves while it is read, even if an arrival could join it', async (visitor) => {
  const ada = await signUpPoster(service)
  for (const message of ['one', 'two']) await deployed(ada, message)
  const page = await openLive(visitor, service.url)
  await page.locator('.subject a').nth(1).focus()
  await page.keyboard.press('Shift+Tab')
  const before = await page.locator('#deployments').boundingBox()
  await deployed(ada, 'three')
  await page.locator('#waiting:not([hidden])').waitFor()
  expect(await shownIn(page)).toBe('two +one')
  expect(await page.locator('#deployments').boundingBox()).toEqual(before)
  await page.click('#waiting')
  await untilReads(() => shownIn(page), 'three +two +one')
})

for (const javaScriptEnabled of [true, false]) {
  browserTest(
    `a fold opens by the keyboard and shows all of its entries, ${javaScriptEnabled ? 'with' : 'without'} scripts`,
    async (visitor) => {
      const ada = await signUpPoster(service)
      await deployed(ada, 'one')
      for (const n of [1, 2, 3]) await bumped(ada, n)
      const page = await visitor.open(service.url)
      expect(await shownIn(page)).toBe('(b3) (+b2) (+b1) one, 3 by bots')
      await page.locator('.bots summary').focus()
      await page.keyboard.press('Tab')
      expect(
        await page.evaluate('document.activeElement.closest(".entry")?.querySelector("h3").textContent'),
      ).toBe('one')
      await page.locator('.bots summary').focus()
      await page.keyboard.press('Enter')
      expect(await shownIn(page)).toBe('b3 +b2 +b1 one, 3 by bots')
    },
    { javaScriptEnabled },
  )
}

browserTest(
  'a fold and a run go on in the older part, in which nothing is lost or shown twice',
  async (visitor) => {
    const ada = await signUpPoster(service)
    await deployed(ada, 'one')
    for (let n = 0; n < 30; n += 1) await bumped(ada, n)
    await deployed(ada, 'two')
    await query(
      service.db,
      sql`update deployments set deployed_at = now() - (1000 - id) * interval '1 second'`,
    )
    const page = await visitor.open(service.url)
    expect(await page.locator('.bots summary').innerText()).toBe('24 by bots')
    await page.click('text=Older deployments')
    await untilReads(() => page.locator('.bots summary').allInnerTexts(), ['30 by bots'])
    const ids = await page
      .locator('.entry')
      .evaluateAll((entries: { id: string }[]) => entries.map(({ id }) => id))
    expect(ids).toHaveLength(32)
    expect(ids).toEqual(ids.toSorted((a, b) => Number(b.split('-')[1]) - Number(a.split('-')[1])))
    expect(await page.evaluate('document.activeElement.localName')).toBe('summary')
  },
)

browserTest('what the reader sees is not folded when an older part follows it', async (visitor) => {
  const ada = await signUpPoster(service)
  for (const n of [1, 2]) await bumped(ada, n)
  for (let n = 0; n < 24; n += 1) await deployed(ada, `m${n}`)
  const page = await visitor.open(service.url)
  expect(await shownIn(page)).toEndWith('+m0 +b2')
  await page.click('text=Older deployments')
  await untilReads(() => page.locator('.entry').count(), 26)
  expect(await shownIn(page)).toEndWith('+m0 +b2 +b1')
})

browserTest('j and k walk over a fold, and into it once it is open', async (visitor) => {
  const ada = await signUpPoster(service)
  await deployed(ada, 'one')
  for (const n of [1, 2]) await bumped(ada, n)
  await deployed(ada, 'two')
  const page = await openLive(visitor, service.url)
  const walked = async (keys: string) => {
    const texts: string[] = []
    for (const key of keys) {
      await page.keyboard.press(key)
      texts.push(await page.evaluate<string>('document.activeElement.textContent.trim()'))
    }
    return texts
  }
  const fold = expect.stringMatching(/^2\s+by bots$/)
  expect(await walked('jjjk')).toEqual(['two', fold, 'one', fold])
  await page.keyboard.press('Enter')
  expect(await walked('jjj')).toEqual(['Bump x from 2 to 3', 'Bump x from 1 to 2', 'one'])
})

browserTest(
  'a search folds nothing that it finds, and the list after it folds as before',
  async (visitor) => {
    const ada = await signUpPoster(service)
    await deployed(ada, 'one')
    for (const n of [1, 2]) await bumped(ada, n)
    const page = await openLive(visitor, service.url)
    await page.fill('.search input[type=search]', `@${ada.username}`)
    await untilReads(() => shownIn(page), 'b2 +b1 +one')
    await page.fill('.search input[type=search]', '')
    await untilReads(() => shownIn(page), '(b2) (+b1) one, 2 by bots')
  },
)

browserTest(
  'on a phone, the facts of an entry that continues a run fit on the line above its headline',
  async (visitor) => {
    const ada = await signUpPoster(service)
    const fields = { url, environment: 'production', version: 'v2.4.0' }
    for (const message of ['fix: one', 'fix: two']) await ada.announce({ ...fields, message })
    const page = await visitor.open(service.url)
    const [head, follower] = await page.locator('.entry .meta').all()
    const height = async (meta = head) => (await meta?.boundingBox())?.height
    expect(await follower?.locator('.environment, .version, .category').allInnerTexts()).toEqual([
      'production',
      'v2.4.0',
      'bug fix',
    ])
    expect(await height(follower)).toBe(await height(head))
    const [above, below] = [
      await follower?.boundingBox(),
      await page.locator('.subject').nth(1).boundingBox(),
    ]
    expect((below?.y ?? 0) - (above?.y ?? 0)).toBeLessThan(32)
  },
  { viewport: { width: 390, height: 800 } },
)
