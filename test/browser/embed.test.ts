import { afterAll, beforeEach, expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { untilReads } from '../support/browser/live-page.ts'
import { browserTest } from '../support/browser/visitor.ts'
import { emptyDatabase } from '../support/database.ts'
import { signUpPoster } from '../support/people.ts'
import { startService } from '../support/service.ts'

const service = await startService()
beforeEach(async () => {
  await emptyDatabase(service.db)
  const ada = await signUpPoster(service, { username: 'ada' })
  await ada.announce({ message: 'x', url: 'https://github.com/ada/engine/pull/1' })
})
afterAll(service.close)

const page = 'http://shipfeed.test/ada'
const image = 'http://shipfeed.test/badge/ada.svg'

function shown(page: Page): Promise<string | null> {
  return page.locator('#embed .snippet:visible code').textContent()
}

browserTest(
  'a label that no badge can show is refused beside its field, and the badge stays',
  async (visitor) => {
    const profile = await visitor.open(`${service.url}/ada`)
    const rule = profile.locator('#badge-label-rule')
    expect(await rule.isVisible()).toBe(false)
    const before = await shown(profile)
    await profile.focus('#badge-label')
    await profile.keyboard.type('prod:')
    expect(await rule.isVisible()).toBe(true)
    expect(await rule.textContent()).toBe('Letters, digits, spaces and . _ / -')
    await profile.keyboard.type(' EU')
    await profile.keyboard.press('Tab')
    expect(await shown(profile)).toBe(before)
    await profile.fill('#badge-label', 'prod EU')
    await profile.keyboard.press('Tab')
    await untilReads(
      () => shown(profile),
      before?.replace('deployment]', 'deployment: prod EU]').replace('show=age', 'show=age&label=prod+EU') ??
        '',
    )
    expect(await rule.isVisible()).toBe(false)
  },
)

browserTest('by keyboard one can choose a badge, see it at once and copy it', async (visitor) => {
  await visitor.context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const profile = await visitor.open(`${service.url}/ada`)
  await profile.focus('#badge-style-standard')
  await profile.keyboard.press('ArrowRight')
  await untilReads(() => shown(profile), `[![Last deployment](${image}?style=square&show=age)](${page})`)
  expect(await profile.evaluate('document.activeElement.id')).toBe('badge-style-square')
  await profile.keyboard.press('Tab')
  await profile.keyboard.press('ArrowRight')
  await untilReads(() => shown(profile), `[![Last deployment](${image}?style=square)](${page})`)
  await profile.keyboard.press('Tab')
  await profile.keyboard.type('eu west')
  await profile.keyboard.press('Tab')
  const labelled = `${image}?style=square&label=eu+west`
  await untilReads(() => shown(profile), `[![Last deployment: eu west](${labelled})](${page})`)
  expect(await profile.evaluate('document.activeElement.id')).toBe('badge-target')
  await profile.keyboard.press('g')
  const chosen = `${labelled}&url=github.com/ada/engine`
  const list = `${page}/github.com/ada/engine`
  await untilReads(() => shown(profile), `[![Last deployment: eu west](${chosen})](${list})`)
  expect(await profile.locator('#embed .grounds img').first().getAttribute('src')).toBe(
    new URL(chosen).pathname + new URL(chosen).search,
  )
  await profile.keyboard.press('Tab')
  expect(await profile.evaluate('document.activeElement.id')).toBe('badge-env')
  await profile.keyboard.press('Tab')
  await profile.keyboard.press('ArrowRight')
  await profile.keyboard.press('ArrowRight')
  const restructured = `.. image:: ${chosen}\n   :target: ${list}\n   :alt: Last deployment: eu west`
  expect(await shown(profile)).toBe(restructured)
  await profile.keyboard.press('Tab')
  await profile.keyboard.press('Enter')
  await untilReads(() => profile.locator('#embed .copy:visible').textContent(), 'Copied')
  expect(await profile.evaluate<string>('navigator.clipboard.readText()')).toBe(restructured)
  expect(new URL(profile.url()).search).toBe('')
})

browserTest('another choice keeps the format', async (visitor) => {
  const profile = await visitor.open(`${service.url}/ada`)
  await profile.click('text=Adoc')
  await profile.click('#badge-style-dot + label')
  const address = `${image}?style=dot&show=age`
  await untilReads(() => shown(profile), `image:${address}[Last deployment,link=${page}]`)
  expect(await profile.locator('#badge-style-dot').isChecked()).toBe(true)
  expect(await profile.locator('#embed .copy:visible').count()).toBe(1)
})

browserTest(
  'without scripts the form leads to the badge in every format, and no copy button is shown',
  async (visitor) => {
    const profile = await visitor.open(`${service.url}/ada`)
    await profile.click('#badge-style-dot + label')
    await profile.fill('#badge-label', 'eu')
    await profile.selectOption('#badge-target', 'github.com/ada/engine')
    await profile.click('#embed form button')
    expect(new URL(profile.url()).pathname).toBe('/ada/badge')
    expect(await profile.locator('#badge-style-dot').isChecked()).toBe(true)
    const chosen = `${image}?style=dot&show=age&label=eu&url=github.com/ada/engine`
    for (const name of ['HTML', 'reST', 'Adoc', 'Markdown']) {
      await profile.click(`text="${name}"`)
      expect(await shown(profile)).toContain(name === 'HTML' ? chosen.replaceAll('&', '&amp;') : chosen)
    }
    expect(await profile.locator('.copy:visible').count()).toBe(0)
  },
  { javaScriptEnabled: false },
)

browserTest(
  'on a phone a snippet scrolls sideways, with its lines unbroken',
  async (visitor) => {
    const ada = await signUpPoster(service)
    const page = await visitor.open(`${service.url}/${ada.username}/badge`)
    const [width = 0, seen = 0, lines] = await page.evaluate<number[]>(`(() => {
      const pre = document.querySelector('#embed .snippet pre')
      const { paddingTop, paddingBottom, lineHeight } = getComputedStyle(pre)
      const text = pre.clientHeight - parseFloat(paddingTop) - parseFloat(paddingBottom)
      return [pre.scrollWidth, pre.clientWidth, Math.round(text / parseFloat(lineHeight))]
    })()`)
    expect(width).toBeGreaterThan(seen)
    expect(lines).toBe(1)
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320)
  },
  { viewport: { width: 320, height: 640 } },
)
