import { beforeEach, expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { untilReads } from '../../support/browser/live-page.ts'
import { browserTest } from '../../support/browser/visitor.ts'
import { emptyDatabase } from '../../support/database.ts'
import { password } from '../../support/people.ts'
import { useService } from '../../support/service.ts'

const service = await useService()
beforeEach(() => emptyDatabase(service.db))

browserTest(
  'by keyboard one can sign up, generate and roll a token, and copy a badge, with a visible focus',
  async (visitor) => {
    await visitor.context.grantPermissions(['clipboard-read', 'clipboard-write'])
    const page = await visitor.open(service.url)
    await pressOn(page, 'Create account')
    await page.waitForURL('**/sign-up')
    await untilReads(() => page.evaluate('document.activeElement.id'), 'username')
    for (const typed of ['ada', 'Ada Lovelace', password]) {
      await expectVisibleFocus(page)
      await page.keyboard.type(typed)
      await page.keyboard.press('Tab')
    }
    await pressOn(page, 'Create account')
    await page.waitForURL('**/settings')

    await pressOn(page, 'Generate token')
    await page.waitForSelector('#new-token')
    await expectVisibleFocus(page)
    const first = await page.inputValue('#new-token')
    await pressOn(page, 'Roll token')
    await pressOn(page, 'Roll it now')
    await page.waitForSelector(`#new-token:not([value='${first}'])`)
    await pressOn(page, 'Copy the token')
    await untilReads(() => copied(page), await page.inputValue('#new-token'))

    await page.reload()
    await pressOn(page, 'Your profile')
    await page.waitForURL('**/ada')
    await tabTo(page, 'standard')
    await page.keyboard.press('ArrowRight')
    await untilReads(() => page.locator('#badge-style-square').isChecked(), true)
    const image = 'http://shipfeed.test/badge/ada.svg?style=square&show=age'
    const snippet = `[![Last deployment](${image})](http://shipfeed.test/ada)`
    await untilReads(() => page.locator('#format-0').textContent(), snippet)
    await pressOn(page, 'Copy it')
    await untilReads(() => copied(page), snippet)
  },
  // Otherwise the page would still be scrolling to the focused element when that is examined.
  { reducedMotion: 'reduce' },
)

async function pressOn(page: Page, name: string): Promise<void> {
  await tabTo(page, name)
  await page.keyboard.press('Enter')
}

/**
 * Presses Tab until the element with this name has the focus; each element on the way must show its focus.
 */
async function tabTo(page: Page, name: string): Promise<void> {
  const passed: string[] = []
  while (passed.length < 60) {
    const current = await expectVisibleFocus(page)
    if (current === name) return
    passed.push(current)
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab does not reach "${name}": ${passed.join(', ')}`)
}

/** The name of the focused element, which must be in the window and outlined; empty if nothing has the focus. */
async function expectVisibleFocus(page: Page): Promise<string> {
  const { name, ...look } = await page.evaluate<Stop>(stop)
  expect({ name, ...look }).toEqual({ name, isOutlined: true, isSeen: true })
  return name
}

async function copied(page: Page): Promise<string> {
  return await page.evaluate('navigator.clipboard.readText()')
}

type Stop = { readonly name: string; readonly isOutlined: boolean; readonly isSeen: boolean }

/** The radio buttons are hidden: the label of one is shown and outlined in its place. */
const stop = `(() => {
  const element = document.activeElement
  if (element === document.body) return { name: '', isOutlined: true, isSeen: true }
  const label = element.labels?.[0]
  const shown = element.matches('[type=radio]') ? label : element
  const { top, bottom } = shown.getBoundingClientRect()
  const isOutlined = [shown, element, element.parentElement].some((part) => {
    const { outlineStyle, outlineWidth } = getComputedStyle(part)
    return outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2
  })
  return {
    name: element.ariaLabel ?? label?.querySelector('img')?.alt ?? (label ?? element).textContent.trim(),
    isOutlined,
    isSeen: bottom > top && bottom > 0 && top < innerHeight,
  }
})()`
