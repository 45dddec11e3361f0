import { beforeEach, expect } from 'bun:test'
import { openLive, outline, setHidden, untilReads, untilState } from '../support/browser/live-page.ts'
import { browserTest } from '../support/browser/visitor.ts'
import { emptyDatabase } from '../support/database.ts'
import { signUpPoster } from '../support/people.ts'
import { useService } from '../support/service.ts'

const service = await useService()
beforeEach(() => emptyDatabase(service.db))

/** Polls twice a second instead of every 20 s, and not more often: a poll replaces one that has no answer yet. */
const pollOften = 'setInterval = new Proxy(setInterval, { apply: (f, t, [g]) => f(g, 500) })'

browserTest(
  'until it is visible, a tab has no stream, and its title and icon show that deployments wait',
  async (visitor) => {
    const ada = await signUpPoster(service)
    await visitor.context.addInitScript(pollOften)
    const page = await openLive(visitor, service.url)
    const icon = () => page.locator('link[rel=icon]').getAttribute('href')
    expect(await icon()).toBe('/favicon.svg')
    await setHidden(page, true)
    await untilReads(async () => service.feed.watcherCount, 0)
    await ada.announce({ message: 'one' })
    await untilReads(() => page.title(), '(1) Deployments · Shipfeed')
    await ada.announce({ message: 'two' })
    await untilReads(() => page.title(), '(2) Deployments · Shipfeed')
    expect(await icon()).toEndWith('/favicon-waiting.svg')
    expect(service.feed.watcherCount).toBe(0)
    expect(await outline(page)).toEqual([])

    await setHidden(page, false)
    await untilReads(() => outline(page), ['# Today', 'two', 'one'])
    expect(await page.title()).toBe('Deployments · Shipfeed')
    expect(await icon()).toEndWith('/favicon.svg')
    await untilState(page, 'Live')
    await ada.announce({ message: 'three' })
    await untilReads(() => outline(page), ['# Today', 'three', 'two', 'one'])
    expect(await page.title()).toBe('Deployments · Shipfeed')
  },
)

browserTest('a waiting deployment that is withdrawn is no longer counted', async (visitor) => {
  const ada = await signUpPoster(service)
  await visitor.context.addInitScript(pollOften)
  const page = await openLive(visitor, service.url)
  await setHidden(page, true)
  const id = await ada.announced({ message: 'one' })
  await untilReads(() => page.title(), '(1) Deployments · Shipfeed')
  await ada.send(`/${ada.username}/${id}/delete`, {})
  await untilReads(() => page.title(), 'Deployments · Shipfeed')
})
