import { beforeEach, expect } from 'bun:test'
import { untilReads } from '../../support/browser/live-page.ts'
import { focused, isMarked, mark, openSettings } from '../../support/browser/settings-page.ts'
import { browserTest } from '../../support/browser/visitor.ts'
import { emptyDatabase } from '../../support/database.ts'
import { password } from '../../support/people.ts'
import { useService } from '../../support/service.ts'

const service = await useService()
beforeEach(() => emptyDatabase(service.db))

/** Chromium reports every refused form as a failed load. */
const refusals = { expected: [/status of 4\d\d/] }

browserTest(
  'a form of the settings changes its own panel and nothing else',
  async (visitor) => {
    const page = await openSettings(service, visitor)
    await mark(page)
    await page.click('label:text-is("GitLab")')
    await page.fill('[name=new_password]', 'half typed')
    await page.fill('[name=name]', 'tab\u200b\u202e')
    await page.click('#profile button')
    await page.waitForSelector('#name-reasons')
    await untilReads(() => focused(page), 'name')
    await page.fill('[name=name]', 'Countess')
    const top = await page.evaluate(
      'document.querySelector("#profile").getBoundingClientRect().top + scrollY',
    )
    await page.click('#profile button')
    await page.waitForSelector('#profile .notice p')
    await untilReads(() => focused(page), 'Your display name is saved.')
    expect(
      await page.evaluate('document.querySelector("#profile").getBoundingClientRect().top + scrollY'),
    ).toBe(top)
    expect(await page.inputValue('[name=name]')).toBe('Countess')
    expect(await page.inputValue('[name=new_password]')).toBe('half typed')
    expect(await page.isVisible('text=curlimages/curl')).toBe(true)
    expect([new URL(page.url()).pathname, await page.title(), await isMarked(page)]).toEqual([
      '/settings',
      'Settings · Shipfeed',
      true,
    ])
  },
  refusals,
)

browserTest(
  'a new password ends the other sessions, as their list shows',
  async (visitor) => {
    const page = await openSettings(service, visitor)
    expect(await page.locator('#sessions li').count()).toBe(2)
    await page.fill('[name=current_password]', 'not this one')
    await page.fill('[name=new_password]', 'a brand new passphrase')
    await page.click('#password button')
    await page.waitForSelector('#current_password-reasons')
    await page.fill('[name=current_password]', password)
    await page.fill('[name=new_password]', 'a brand new passphrase')
    await page.click('#password button')
    await page.waitForSelector('#password .notice p')
    expect(await page.locator('#sessions li').count()).toBe(1)
    expect(await page.inputValue('[name=new_password]')).toBe('')
    await page.reload()
    expect(await page.locator('h1').textContent()).toBe('Settings')
  },
  refusals,
)

browserTest(
  'a form that fails for lack of a connection or of a working server says so and keeps the input',
  async (visitor) => {
    const page = await openSettings(service, visitor)
    await page.fill('[name=name]', 'Countess')
    await visitor.context.setOffline(true)
    await page.click('#profile button')
    await page.waitForSelector('#profile .unsent:not(:empty)')
    expect(await page.textContent('#profile .unsent')).toContain('did not reach the server')
    await visitor.context.setOffline(false)

    for (const status of [503, 429]) {
      await page.route('**/settings/profile', async (route) => {
        const answer = await route.fetch({
          url: `${service.url}/nothing/here/at/all/${status}`,
          method: 'GET',
        })
        const body = (await answer.text()).replace(/(<p id="advice">)[^<]*/, `$1${status}`)
        await route.fulfill({ response: answer, status, body })
      })
      await page.click('#profile button')
      await untilReads(() => page.locator('#profile .unsent').innerText(), `${status}`)
      expect(await page.inputValue('[name=name]')).toBe('Countess')
      expect(await page.title()).toBe('Settings · Shipfeed')
      await page.unroute('**/settings/profile')
    }
    await page.click('#profile button')
    await page.waitForSelector('#profile .notice p')
    expect(await page.locator('#profile .unsent').textContent()).toBe('')
  },
  { expected: [/status of (503|429)/, /ERR_INTERNET_DISCONNECTED/, /Failed to fetch/] },
)

browserTest('the form of a new intake shows the fields of the chosen forge', async (visitor) => {
  const page = await openSettings(service, visitor)
  await page.goto(`${service.url}/settings/intakes`)
  const shown = async () => [await page.isVisible('#environments'), await page.isVisible('#workflows')]
  expect(await shown()).toEqual([true, false])
  await page.selectOption('#kind', 'forgejo')
  expect(await shown()).toEqual([false, true])
  await page.selectOption('#kind', 'gitlab')
  expect(await shown()).toEqual([true, false])
})
