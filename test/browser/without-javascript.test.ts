import { beforeEach, expect } from 'bun:test'
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { form, post } from '../support/api.ts'
import { openSettings } from '../support/browser/settings-page.ts'
import { browserTest, follow } from '../support/browser/visitor.ts'
import { emptyDatabase } from '../support/database.ts'
import { password, signUpPoster } from '../support/people.ts'
import { useService } from '../support/service.ts'

const service = await useService()
beforeEach(() => emptyDatabase(service.db))

const off = { javaScriptEnabled: false }
/** Chromium reports every refused form as a failed load. */
const refusals = { ...off, expected: [/status of 4\d\d/] }

browserTest(
  'a user signs up, announces, finds the deployment on all its pages, and withdraws it',
  async (visitor) => {
    const page = await visitor.open(service.url)
    await page.click('text=Create account')
    await page.fill('[name=username]', 'ada')
    await page.fill('[name=name]', 'Ada Lovelace')
    await page.fill('[name=password]', 'short')
    await follow(page, 'main button')
    expect(await page.locator('#password-reasons').isVisible()).toBe(true)
    expect(await page.inputValue('[name=name]')).toBe('Ada Lovelace')
    await page.fill('[name=password]', password)
    await follow(page, 'main button')

    await page.click('text=Generate token')
    const token = await page.inputValue('#new-token')
    await announce(token, 'feat: the first one', 'https://github.com/ada/engine/pull/1')
    await announce(token, 'fix: the second one', 'https://app.example/2')

    await follow(page, 'text=Feed')
    expect(await page.locator('.day > h2').textContent()).toMatch(/^\w+day \d+ \w+ \(UTC\)$/)
    expect(await lines(page)).toEqual(['fix: the second one', 'feat: the first one'])
    await follow(page, 'text=Features')
    expect(await lines(page)).toEqual(['feat: the first one'])
    await follow(page, '.entry .meta > .quiet')
    expect(await lines(page)).toEqual(['fix: the second one', 'feat: the first one'])
    await follow(page, '.targets >> text=app.example')
    expect(await lines(page)).toEqual(['fix: the second one'])
    await page.click('.entry .subject a')
    await page.click('summary:has-text("Withdraw")')
    await follow(page, 'form[action$="/delete"] button')
    await page.goto(service.url)
    expect(await lines(page)).toEqual(['feat: the first one'])
  },
  refusals,
)

browserTest(
  'every form of the settings works, and the last one deletes everything',
  async (visitor) => {
    const page = await openSettings(service, visitor)
    await page.fill('[name=name]', '\u202e')
    await follow(page, '#profile button')
    expect(await page.locator('#name-reasons').isVisible()).toBe(true)
    await page.fill('[name=name]', 'Countess')
    await follow(page, '#profile button')
    expect(await page.textContent('#profile .notice')).toContain('saved')

    expect(await page.locator('#sessions li').count()).toBe(2)
    await follow(page, 'text=Sign out everywhere else')
    expect(await page.locator('#sessions li').count()).toBe(1)

    const newPassword = 'a brand new passphrase'
    await page.fill('[name=current_password]', password)
    await page.fill('[name=new_password]', newPassword)
    await follow(page, 'text=Change password')
    expect(await page.locator('#password .notice p').count()).toBe(1)
    await page.click('text=Sign out')
    await page.click('text=Sign in')
    await page.fill('[name=username]', 'ada')
    await page.fill('[name=password]', newPassword)
    await follow(page, 'main button')
    await page.click('text=Settings')

    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.click('text=Export everything'),
    ])
    expect(JSON.parse(await readFile(await download.path(), 'utf8')).profile.name).toBe('Countess')
    await page.fill('#delete-username', 'ada')
    await page.fill('#delete-password', newPassword)
    await page.click('text=Delete my account')
    expect(await page.locator('.account').textContent()).toContain('Create account')
    expect((await service.fetch('/ada')).status).toBe(404)
  },
  refusals,
)

browserTest(
  'only controls that work are shown',
  async (visitor) => {
    const ada = await signUpPoster(service)
    for (let count = 0; count < 26; count++) await ada.announce({ message: `${count}` })
    for (const path of ['/', `/${ada.username}`]) {
      const page = await visitor.open(service.url + path)
      for (const selector of ['#live', '#live-state', '#pause', '#waiting', '#arrivals']) {
        expect([selector, await page.locator(selector).isVisible()]).toEqual([selector, false])
      }
      expect(await page.locator('button[type=button]:visible').count()).toBe(0)
    }
  },
  off,
)

browserTest(
  'older deployments are a link to a page without a live list',
  async (visitor) => {
    const ada = await signUpPoster(service)
    for (let count = 0; count < 26; count++) await ada.announce({ message: `${count}` })
    const page = await visitor.open(service.url)
    await follow(page, 'text=Older deployments')
    expect(await page.locator('.entry .subject').allTextContents()).toEqual(['0'])
    expect(await page.locator('#live').count()).toBe(0)
    await follow(page, 'text=Features')
    expect(new URL(page.url()).search).toBe('?category=feature')
  },
  off,
)

async function announce(token: string, message: string, url: string): Promise<void> {
  expect((await post(service, token, form({ message, url }))).status).toBe(201)
}

/** The messages that the page lists. */
async function lines(page: Page): Promise<readonly string[]> {
  return await page.locator('.entry .subject').allTextContents()
}

browserTest(
  'a link into a folded section of the docs opens it',
  async (visitor) => {
    const page = await visitor.open(`${service.url}/docs`)
    expect(await page.locator('#limits').isVisible()).toBe(false)
    await page.click('.contents a[href="#limits"]')
    expect(await page.locator('#limits').isVisible()).toBe(true)
    const linked = await visitor.open(`${service.url}/docs#on-github`)
    expect(await linked.locator('#on-github').isVisible()).toBe(true)
  },
  off,
)
