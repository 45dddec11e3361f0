import { beforeEach, expect } from 'bun:test'
import { untilReads } from '../../support/browser/live-page.ts'
import { focused, isMarked, mark, openSettings } from '../../support/browser/settings-page.ts'
import { browserTest } from '../../support/browser/visitor.ts'
import { emptyDatabase } from '../../support/database.ts'
import { password, signUp } from '../../support/people.ts'
import { useService } from '../../support/service.ts'

const service = await useService()
beforeEach(() => emptyDatabase(service.db))

/** Chromium reports every refused form as a failed load. */
const refusals = { expected: [/status of 4\d\d/] }

browserTest(
  'a refused form of an account is swapped in place, keeps the input and moves the focus to its reason',
  async (visitor) => {
    await signUp(service, { username: 'ada' })
    const page = await visitor.open(`${service.url}/sign-up`)
    await mark(page)
    await page.fill('[name=username]', 'ada')
    await page.fill('[name=name]', 'Ada "A" Lovelace')
    await page.fill('[name=password]', 'short')
    await page.click('main button')
    await page.waitForSelector('#password-reasons')
    await untilReads(() => focused(page), 'password')
    expect(await page.inputValue('[name=name]')).toBe('Ada "A" Lovelace')
    await page.fill('[name=password]', password)
    await page.keyboard.press('Enter')
    await page.waitForSelector('#username-reasons')
    await untilReads(() => focused(page), 'username')
    expect(await isMarked(page)).toBe(true)

    await page.fill('[name=username]', 'ada-2')
    await page.fill('[name=password]', password)
    await page.keyboard.press('Enter')
    await page.waitForURL('**/settings')
    expect(await page.locator('.account').textContent()).toContain('Sign out')
    expect(await isMarked(page)).toBe(false)
  },
  refusals,
)

browserTest(
  'an account is deleted with its name and password, and the browser is then signed out',
  async (visitor) => {
    const page = await openSettings(service, visitor)
    await page.fill('#delete-username', 'adaa')
    await page.fill('#delete-password', password)
    await page.keyboard.press('Enter')
    await page.waitForSelector('#delete-username-reasons')
    await untilReads(() => focused(page), 'delete-username')
    expect(await page.inputValue('#delete-username')).toBe('adaa')
    await page.fill('#delete-username', 'ada')
    await page.fill('#delete-password', password)
    await page.keyboard.press('Enter')
    await page.waitForURL('**/sign-in?done=deleted')
    await untilReads(() => focused(page), 'Your account and everything in it is deleted.')
  },
  refusals,
)

browserTest('a form sent after the session ended leads to sign-in', async (visitor) => {
  const page = await openSettings(service, visitor)
  await emptyDatabase(service.db)
  await page.click('#profile button')
  await page.waitForURL('**/sign-in')
  expect(await page.locator('h1').textContent()).toBe('Sign in')
})
