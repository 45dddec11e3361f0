import { beforeEach, describe, expect } from 'bun:test'
import { browserTest } from '../../support/browser/visitor.ts'
import { emptyDatabase } from '../../support/database.ts'
import { password, signUpPoster } from '../../support/people.ts'
import { useService } from '../../support/service.ts'

const service = await useService()
beforeEach(() => emptyDatabase(service.db))

/** A name other than localhost: to it, Chromium sends no Sec-Fetch-Site, and it logs which headers it ignores. */
const site = service.url.replace('127.0.0.1', 'ship.lan')
const expected = [/Cross-Origin-Opener-Policy|Clear-Site-Data/, /status of 4\d\d/]

describe.each([true, false])(
  'on plain http at a name of the LAN, with JavaScript %p',
  (javaScriptEnabled) => {
    const options = { javaScriptEnabled, expected }

    browserTest(
      'a user signs up, generates a token, signs out and in again',
      async (visitor) => {
        const page = await visitor.open(`${site}/sign-up`)
        await page.fill('[name=username]', 'ada')
        await page.fill('[name=name]', 'Ada Lovelace')
        await page.fill('[name=password]', password)
        await page.click('main button')
        await page.waitForURL('**/settings')

        await page.click('text=Generate token')
        expect(await page.inputValue('#new-token')).toStartWith('ship_')

        await page.click('text=Sign out')
        await page.waitForURL(`${site}/`)
        await page.click('text=Sign in')
        await page.fill('[name=username]', 'ada')
        await page.fill('[name=password]', password)
        await page.click('main button')
        await page.waitForSelector('text=Sign out')
      },
      options,
    )

    browserTest(
      'a user withdraws a deployment',
      async (visitor) => {
        const poster = await signUpPoster(service)
        await poster.announce({ message: 'too early' })
        const [name = '', value = ''] = poster.cookie.split('=')
        await visitor.context.addCookies([{ name, value, url: site }])
        const page = await visitor.open(`${site}/${poster.username}`)
        await page.click('.entry .subject a')
        await page.click('summary:has-text("Withdraw")')
        await page.click('form[action$="/delete"] button')
        await page.waitForURL(`${site}/${poster.username}?done=withdrawn`)
        expect(await page.locator('.entry').count()).toBe(0)
      },
      options,
    )
  },
)
