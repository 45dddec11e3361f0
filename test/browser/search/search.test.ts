import { beforeEach, expect } from 'bun:test'
import { openLive, outline, untilReads, untilState } from '../../support/browser/live-page.ts'
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

browserTest('as one types, the results, the address and the stream follow', async (visitor) => {
  const ada = await signUpPoster(service)
  await ada.announce({ message: 'the cache' })
  await ada.announce({ message: 'the draft' })
  const page = await openLive(visitor, service.url)
  const pages = await page.evaluate('history.length')
  await page.keyboard.press('/')
  await page.keyboard.type('cache')
  await page.waitForURL(/\?q=cache$/)
  await untilState(page, 'Live')
  expect(await page.title()).toBe('cache · Search · Shipfeed')
  expect(await outline(page)).toEqual(['# Today', 'the cache'])
  expect(await page.evaluate('document.activeElement.id')).toBe('q')
  await ada.announce({ message: 'unrelated' })
  await ada.announce({ message: 'the cache again' })
  await untilReads(() => outline(page), ['# Today', 'the cache again', 'the cache'])
  await page.keyboard.type(' -again')
  await untilReads(() => outline(page), ['# Today', 'the cache'])
  await page.keyboard.press('Escape')
  await page.waitForURL(service.url)
  await untilState(page, 'Live')
  expect(await page.title()).toBe('Deployments · Shipfeed')
  await ada.announce({ message: 'the last' })
  await untilReads(async () => (await outline(page)).slice(0, 3), ['# Today', 'the last', 'the cache again'])
  expect(await page.evaluate('history.length')).toBe(pages)
})

browserTest(
  'what cannot be searched for is said below the field, and the list stays',
  async (visitor) => {
    const ada = await signUpPoster(service)
    await ada.announce({ message: 'the cache' })
    const page = await openLive(visitor, service.url)
    await page.fill('#q', 'env:')
    await untilReads(
      async () => (await page.innerText('.find [role=alert]')).slice(0, 19),
      'Name an environment',
    )
    expect(await outline(page)).toEqual(['# Today', 'the cache'])
    await page.fill('#q', 'env:production')
    await untilReads(() => page.isVisible('.nothing-found'), true)
    expect(await page.innerText('.find [role=alert]')).toBe('')
  },
  { expected: [/status of 400/] },
)

browserTest('the count follows arrivals and withdrawals, and not what older pages add', async (visitor) => {
  const ada = await signUpPoster(service)
  const ids: number[] = []
  for (let count = 0; count < 27; count++) ids.push(await ada.announced({ message: `cache ${count}` }))
  const page = await openLive(visitor, `${service.url}?q=cache`)
  const counted = () => page.innerText('#found')
  expect(await counted()).toBe('27')
  await page.click('.older a')
  await untilReads(() => page.locator('#deployments .entry').count(), 27)
  await ada.send(`/${ada.username}/${ids[20]}/delete`, {})
  await untilReads(counted, '26')
  await page.evaluate('scrollTo(0, 0); document.activeElement.blur()')
  await ada.announce({ message: 'cache again' })
  await untilReads(counted, '27')
})

browserTest('"j" and "k" walk over the deployments, and "?" shows the keys', async (visitor) => {
  const ada = await signUpPoster(service)
  for (const message of ['one', 'two', 'three']) await ada.announce({ message })
  const page = await openLive(visitor, service.url)
  const focused = () => page.evaluate('document.activeElement.textContent')
  const walked = []
  for (const key of ['j', 'j', 'k', 'k', 'j', 'j', 'j']) {
    await page.keyboard.press(key)
    walked.push(await focused())
  }
  expect(walked).toEqual(['three', 'two', 'three', 'three', 'two', 'one', 'one'])
  await page.keyboard.press('?')
  expect(await page.isVisible('#shortcuts')).toBe(true)
  expect(await page.innerText('#shortcuts')).toContain('Next deployment')
  await page.keyboard.press('?')
  expect(await page.isVisible('#shortcuts')).toBe(false)
  await page.focus('#q')
  await page.keyboard.type('jk?')
  expect(await page.inputValue('#q')).toBe('jk?')
  expect(await page.isVisible('#shortcuts')).toBe(false)
  const button = page.getByRole('button', { name: 'Shortcuts' })
  for (const isShown of [true, false, true]) {
    await button.press('Enter')
    expect(await page.isVisible('#shortcuts')).toBe(isShown)
  }
  await page.uncheck('#single-keys')
  await page.reload()
  await page.keyboard.press('?')
  expect(await page.isVisible('#shortcuts')).toBe(false)
  await button.press('Enter')
  expect(await page.isChecked('#single-keys')).toBe(false)
})

browserTest('a screen reader is told what a search has found, and nothing else', async (visitor) => {
  const ada = await signUpPoster(service)
  for (const message of ['the cache', 'the cached page']) await ada.announce({ message })
  const page = await openLive(visitor, service.url)
  await page.evaluate(`
    said = []
    const isLive = (region) => (region.ariaLive ?? 'polite') !== 'off'
    new MutationObserver((changes) => {
      for (const { target } of changes) {
        const region = (target.closest ? target : target.parentElement)?.closest('[role="status"], [role="alert"]')
        if (region && isLive(region) && region.textContent.trim() !== '') said.push(region.textContent.trim())
      }
    }).observe(document.body, { childList: true, characterData: true, subtree: true })`)
  await page.fill('#q', 'cache')
  await untilState(page, 'Live')
  await untilReads(() => page.evaluate('said'), ['2 deployments with “cache”'])
  await page.fill('#q', 'no such thing')
  await page.waitForSelector('.nothing-found')
  await untilState(page, 'Live')
  await untilReads(() => page.evaluate('said.slice(1)'), ['No deployments match “no such thing”.'])
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
