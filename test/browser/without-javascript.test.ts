import { afterAll, beforeEach, expect } from 'bun:test'
import { browserTest } from '../support/browser.ts'
import { emptyDatabase } from '../support/database.ts'
import { signUpPoster } from '../support/people.ts'
import { startService } from '../support/service.ts'

const service = await startService()
beforeEach(() => emptyDatabase(service.db))
afterAll(service.close)

const off = { javaScriptEnabled: false }

browserTest(
  'somebody signs up, generates a token, announces, sees the deployment and withdraws it',
  async (visitor) => {
    const page = await visitor.open(service.url)
    await page.click('text=Create account')
    await page.fill('[name=username]', 'ada')
    await page.fill('[name=name]', 'Ada Lovelace')
    await page.fill('[name=password]', 'correct horse battery')
    await page.click('main button')

    await page.goto(`${service.url}/settings`)
    await page.click('form[action="/settings/token"] button')
    const [token] = /ship_[0-9A-Za-z]{36}/.exec(await page.content()) ?? []
    const announced = await service.fetch('/api', {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}` },
      body: new URLSearchParams({ message: 'feat: the first one' }),
    })
    expect(announced.status).toBe(201)

    for (const path of ['/', '/ada']) {
      await page.goto(service.url + path)
      expect(await page.locator('.entry .lines').allTextContents()).toEqual(['feat: the first one'])
      expect(await page.locator('.date').textContent()).toBe('Today')
    }
    await page.click('.entry .age')
    await page.click('summary:has-text("Withdraw")')
    await page.click('form[action$="/delete"] button')
    await page.goto(service.url)
    expect(await page.locator('.entry').count()).toBe(0)
  },
  off,
)

browserTest(
  'no control is shown that would do nothing',
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
  'older deployments are a link to a page, on which there is no live list',
  async (visitor) => {
    const ada = await signUpPoster(service)
    for (let count = 0; count < 26; count++) await ada.announce({ message: `${count}` })
    const page = await visitor.open(service.url)
    await page.click('text=Older deployments')
    expect(await page.locator('.entry .lines').allTextContents()).toEqual(['0'])
    expect(await page.locator('#live').count()).toBe(0)
    await page.click('text=Features')
    expect(new URL(page.url()).search).toBe('?category=feature')
  },
  off,
)
