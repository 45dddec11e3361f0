import { expect } from 'bun:test'
import { untilReads } from '../../support/browser/live-page.ts'
import { isMarked, mark } from '../../support/browser/settings-page.ts'
import { browserTest } from '../../support/browser/visitor.ts'
import { password, signUpPoster } from '../../support/people.ts'
import { useService } from '../../support/service.ts'
import { receiver, webhookOf } from '../../support/webhooks/receiver.ts'

const service = await useService({ WEBHOOKS: 'any' })

browserTest(
  'the page of a webhook shows each delivery by itself, and keeps open what is open',
  async (visitor) => {
    await using hook = receiver()
    const ada = await signUpPoster(service)
    const { id } = await webhookOf(service, ada, hook.url)
    const page = await visitor.open(`${service.url}/sign-in`)
    await page.fill('[name=username]', ada.username)
    await page.fill('[name=password]', password)
    await page.keyboard.press('Enter')
    await page.waitForURL('**/settings')
    await page.goto(`${service.url}/settings/webhooks/${id}`)
    await mark(page)
    const rows = async () => await page.locator('#delivered > li').count()
    expect(await rows()).toBe(0)
    await ada.announced({ message: 'One' })
    await untilReads(rows, 1)
    await page.click('#delivered summary')
    await page.focus('#delivered button')
    await ada.announced({ message: 'Two' })
    await untilReads(rows, 2)
    const opened = page.locator('#delivered details[open] pre')
    expect(await opened.count()).toBe(1)
    expect(JSON.parse((await opened.textContent()) ?? '').data.message).toBe('One')
    const focused = 'document.activeElement.closest("li") === document.querySelectorAll("#delivered > li")[1]'
    expect(await page.evaluate<boolean>(focused)).toBeTrue()
    expect(await isMarked(page)).toBeTrue()

    await page.click('text=Send a test')
    await page.waitForSelector('text=Sent: status 200')
    await page.locator('#delivered >> text=Send again').last().click()
    await page.waitForSelector('text=Sent: status 200')
    expect(hook.received.map(({ body }) => [body.data?.message, body.test])).toEqual([
      ['One', undefined],
      ['Two', undefined],
      ['Two', true],
      ['One', undefined],
    ])
  },
)

browserTest(
  'what is typed stays when another browser signs everyone out: only sending it leads to signing in',
  async (visitor) => {
    await using hook = receiver()
    const joan = await signUpPoster(service)
    await webhookOf(service, joan, hook.url)
    const page = await visitor.open(`${service.url}/sign-in`)
    await page.fill('[name=username]', joan.username)
    await page.fill('[name=password]', password)
    await page.keyboard.press('Enter')
    await page.waitForURL('**/settings')
    await page.goto(`${service.url}/settings/webhooks`)
    await page.fill('[name=url]', 'https://chat.example/hook')
    const poll = page.waitForResponse((response) => response.status() === 401)
    await joan.send('/settings/sessions/end', {})
    await poll
    expect(await page.inputValue('[name=url]')).toBe('https://chat.example/hook')
    await page.click('text=Add webhook >> visible=true')
    await page.waitForURL('**/sign-in')
  },
  { expected: [/status of 401/] },
)

browserTest('a webhook that is added by a double click is added once', async (visitor) => {
  await using hook = receiver()
  const grace = await signUpPoster(service)
  const page = await visitor.open(`${service.url}/sign-in`)
  await page.fill('[name=username]', grace.username)
  await page.fill('[name=password]', password)
  await page.keyboard.press('Enter')
  await page.waitForURL('**/settings')
  await page.goto(`${service.url}/settings/webhooks`)
  await page.fill('[name=url]', hook.url)
  await page.dblclick('text=Add webhook')
  await page.waitForURL(/webhooks\/\d+/)
  await page.goto(`${service.url}/settings/webhooks`)
  expect(await page.locator('#webhook-list > li').count()).toBe(1)
})
