import { beforeEach, expect } from 'bun:test'
import { argoCdSnippet } from '../../../src/capabilities/cdevents/argo-cd.ts'
import { fluxSnippet } from '../../../src/capabilities/intakes/flux-manifests.ts'
import { joinSlots } from '../../../src/views/page/slots.ts'
import { pipelineSnippets } from '../../../src/views/parts/pipeline-snippets.ts'
import { form, post } from '../../support/api.ts'
import { untilReads } from '../../support/browser/live-page.ts'
import { openSettings } from '../../support/browser/settings-page.ts'
import { browserTest } from '../../support/browser/visitor.ts'
import { emptyDatabase } from '../../support/database.ts'
import { useService } from '../../support/service.ts'

const service = await useService()
beforeEach(() => emptyDatabase(service.db))

async function announceWith(token: string, message = 'With a token'): Promise<number> {
  return (await post(service, token, form({ message }))).status
}

browserTest(
  'a new token has the focus, its copy button reports its result, and a reload hides it',
  async (visitor) => {
    await visitor.context.grantPermissions(['clipboard-read', 'clipboard-write'])
    const page = await openSettings(service, visitor)
    const said = () => page.locator('body > [role=status]').textContent()
    await page.click('text=Generate token')
    await page.waitForSelector('#new-token')
    await untilReads(() => page.evaluate('document.activeElement.id'), 'new-token')
    const token = await page.inputValue('#new-token')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await untilReads(() => page.textContent('#token .copy'), 'Copied')
    expect([await page.evaluate<string>('navigator.clipboard.readText()'), await said()]).toEqual([
      token,
      'Copied',
    ])
    await untilReads(() => page.textContent('#token .copy'), 'Copy the token')
    expect(await said()).toBe('')
    expect(await announceWith(token)).toBe(201)
    await page.reload()
    expect(await page.content()).not.toMatch(/ship_\w{36}/)
  },
)

browserTest('without the clipboard API of a secure page a copy button still copies', async (visitor) => {
  const page = await openSettings(service, visitor)
  await page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
  await page.evaluate("document.addEventListener('copy', () => { copied = String(getSelection()) })")
  await page.click('#announce .copy >> visible=true')
  await untilReads(() => page.textContent('#announce .copy >> visible=true'), 'Copied')
  expect(await page.evaluate<string>('copied')).toStartWith(`curl http://shipfeed.test/api`)
})

browserTest('the arrow keys choose a snippet, and only that one is shown', async (visitor) => {
  const page = await openSettings(service, visitor)
  const shown = () => page.locator('#announce code >> visible=true').first().textContent()
  await page.focus('[name=snippet]')
  expect(await shown()).toStartWith('curl ')
  for (const [tab, code] of pipelineSnippets({
    baseUrl: 'http://shipfeed.test',
    slots: joinSlots([argoCdSnippet, fluxSnippet]),
  })) {
    await page.keyboard.press('ArrowRight')
    expect(await shown()).toBe(code)
    expect(await page.textContent('#announce :checked + label')).toBe(tab)
    expect(await page.locator('#announce pre >> visible=true').count()).toBe(1)
  }
})

browserTest(
  'without JavaScript no copy button is shown; snippets, the roll, refused calls and the export work',
  async (visitor) => {
    const page = await openSettings(service, visitor)
    await page.click('text=Generate token')
    const token = await page.inputValue('#new-token')
    expect(await page.locator('.copy >> visible=true').count()).toBe(0)
    expect(await announceWith(token, ' ')).toBe(422)
    await page.click('summary:has-text("Roll token")')
    await page.check('text=Keep it for 24 hours')
    await page.click('text=Roll it now')
    expect(await page.inputValue('#new-token')).not.toBe(token)
    expect(await page.textContent('.old-token')).toContain('Nothing has used it since the roll')
    await page.click('label.snippet-tab:has-text("Shell")')
    expect(await page.isVisible('text=SHIPFEED_TOKEN is in the environment')).toBe(true)
    await untilReads(async () => {
      await page.reload()
      return await page.textContent('#refusals li code')
    }, '422')
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.click('text=Export everything'),
    ])
    expect(download.suggestedFilename()).toBe('shipfeed-ada.json')
  },
  { javaScriptEnabled: false },
)

browserTest('at 320 px nothing in the settings is wider than the page', async (visitor) => {
  const page = await openSettings(service, visitor)
  await page.setViewportSize({ width: 320, height: 700 })
  await page.click('text=Generate token')
  await page.waitForSelector('#new-token')
  await page.click('summary')
  for (const tab of await page.locator('#announce label').all()) {
    await tab.click()
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(320)
  }
})
