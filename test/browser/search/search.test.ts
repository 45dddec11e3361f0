import { beforeEach, expect } from 'bun:test'
import { openLive, untilReads, untilState } from '../../support/browser/live-page.ts'
import { browserTest } from '../../support/browser/visitor.ts'
import { emptyDatabase } from '../../support/database.ts'
import { signUpPoster } from '../../support/people.ts'
import { useService } from '../../support/service.ts'

const service = await useService()
beforeEach(() => emptyDatabase(service.db))

browserTest('"/" moves to the search field, can be typed there, and Escape empties it', async (visitor) => {
  const page = await openLive(visitor, service.url)
  await page.keyboard.press('/')
  await page.keyboard.type('a/b')
  expect(await page.inputValue('#q')).toBe('a/b')
  await page.keyboard.press('Escape')
  expect(await page.inputValue('#q')).toBe('')
})

browserTest('Enter sends a search, which keeps its category and counts arrivals', async (visitor) => {
  const ada = await signUpPoster(service)
  await ada.announce({ message: 'fix: the cache' })
  const page = await openLive(visitor, `${service.url}?category=bug_fix`)
  await page.keyboard.press('/')
  await page.keyboard.type('cache')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\?q=cache&category=bug_fix$/)
  await untilState(page, 'Live')
  const said = async () => (await page.innerText('.reading')).replace(/ ·.*/s, '')
  expect(await said()).toBe('1 bug fix with “cache”')
  await ada.announce({ message: 'fix: unrelated' })
  await ada.announce({ message: 'fix: cached pages' })
  await untilReads(said, '2 bug fixes with “cache”')
  expect(await page.locator('mark').allInnerTexts()).toEqual(['cached', 'cache'])
})

browserTest('the note that nothing was found disappears with the first arrival', async (visitor) => {
  const ada = await signUpPoster(service)
  const page = await openLive(visitor, `${service.url}?q=cache`)
  expect(await page.innerText('.nothing-found')).toStartWith('No deployments match “cache”.')
  await ada.announce({ message: 'fix: the cache' })
  await untilReads(() => page.locator('#deployments mark').allInnerTexts(), ['cache'])
  expect(await page.isVisible('.nothing-found')).toBe(false)
})

browserTest(
  'without scripts a search works, with its links',
  async (visitor) => {
    const ada = await signUpPoster(service)
    for (let count = 0; count < 26; count++) await ada.announce({ message: `cache ${count}` })
    const page = await visitor.open(service.url)
    await page.fill('#q', 'cache')
    await page.press('#q', 'Enter')
    await page.waitForURL(/q=cache/)
    expect(await page.locator('.entry').count()).toBe(25)
    await page.click('.older a')
    await page.waitForURL(/q=cache&before=/)
    expect(await page.locator('.entry').count()).toBe(1)
  },
  { javaScriptEnabled: false },
)
