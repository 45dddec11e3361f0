import { beforeEach, expect } from 'bun:test'
import { form, post } from '../../support/api.ts'
import { untilReads } from '../../support/browser/live-page.ts'
import { isMarked, mark, openSettings } from '../../support/browser/settings-page.ts'
import { browserTest, follow } from '../../support/browser/visitor.ts'
import { emptyDatabase } from '../../support/database.ts'
import { useService } from '../../support/service.ts'

const service = await useService()
beforeEach(() => emptyDatabase(service.db))

browserTest(
  'a new user generates a token, sees a refused call and an arrival, copies the badge and is done',
  async (visitor) => {
    await visitor.context.grantPermissions(['clipboard-read', 'clipboard-write'])
    const page = await openSettings(service, visitor)
    await mark(page)
    const now = () => page.textContent('.step.now > div > h3')
    expect(await now()).toBe('Token')
    await page.click('text=Generate token')
    await untilReads(now, 'Announce')
    const line = await page.textContent('#new-token-export')
    const token = await page.inputValue('#new-token')
    expect(line).toBe(`export SHIPFEED_TOKEN=${token}`)
    await page.click('label:text-is("Woodpecker")')

    expect((await post(service, token, form({ message: ' ' }))).status).toBe(422)
    await untilReads(() => page.locator('#refusals code').first().textContent(), '422')
    expect(await page.textContent('#new-token-export')).toBe(line)
    expect(await page.textContent('#announce :checked + label')).toBe('Woodpecker')

    expect((await post(service, token, form({ message: 'feat: one' }))).status).toBe(201)
    await untilReads(now, 'Embed the badge')
    expect(await page.textContent('#checklist .subject')).toBe('feat: one')
    expect(await page.textContent('#token h2')).toBe('API token')
    expect(await isMarked(page)).toBe(true)

    await page.click('#checklist .copy')
    await untilReads(() => page.textContent('#checklist .copy'), 'Copied')
    expect(await page.evaluate<string>('navigator.clipboard.readText()')).toContain('/badge/ada.svg')
    const isThrough = async () => {
      await page.reload()
      return await page.locator('#checklist').count()
    }
    await untilReads(isThrough, 0)
  },
)

browserTest(
  'without scripts the checklist says to reload the page, and can be hidden',
  async (visitor) => {
    const page = await openSettings(service, visitor)
    expect(await page.locator('#checklist .without-scripts').isVisible()).toBe(true)
    expect(await page.locator('#checklist .with-scripts').isVisible()).toBe(false)
    await follow(page, 'text=Hide')
    expect(await page.locator('#checklist').count()).toBe(0)
    expect(await page.locator('#token').isVisible()).toBe(true)
  },
  { javaScriptEnabled: false },
)
