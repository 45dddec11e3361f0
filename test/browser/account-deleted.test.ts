import { beforeEach, expect } from 'bun:test'
import { openLive, outline, setHidden, untilReads, waiting } from '../support/browser/live-page.ts'
import { browserTest } from '../support/browser/visitor.ts'
import { emptyDatabase } from '../support/database.ts'
import { type Poster, password, signUpPoster } from '../support/people.ts'
import { useService } from '../support/service.ts'

const service = await useService()
beforeEach(() => emptyDatabase(service.db))

async function deleteAccount({ send, username }: Poster): Promise<void> {
  expect((await send('/settings/delete', { username, password })).status).toBe(303)
}

browserTest(
  'the deployments of a deleted account disappear from open pages, even waiting ones',
  async (visitor) => {
    const [ada, grace] = [await signUpPoster(service), await signUpPoster(service)]
    await ada.announce({ message: 'hers' })
    await grace.announce({ message: 'another' })
    const page = await openLive(visitor, service.url)
    const paused = await openLive(visitor, service.url)
    await paused.click('#pause')
    await ada.announce({ message: 'hers too' })
    await untilReads(() => outline(page), ['# Today', 'hers too', 'another', 'hers'])
    await untilReads(() => waiting(paused), '1 new deployment')

    await deleteAccount(ada)
    for (const each of [page, paused]) await untilReads(() => outline(each), ['# Today', 'another'])
    await untilReads(() => waiting(paused), null)
    await deleteAccount(grace)
    await untilReads(() => outline(page), [])
  },
)

browserTest('an open profile says that its account was deleted, and closes its stream', async (visitor) => {
  const ada = await signUpPoster(service)
  await ada.announce({ message: 'hers' })
  const page = await openLive(visitor, `${service.url}/${ada.username}`)
  await deleteAccount(ada)
  await untilReads(() => page.locator('h1').allTextContents(), ['This account was deleted'])
  expect(await page.locator('.entry, #overview, img').count()).toBe(0)
  await untilReads(async () => service.feed.watcherCount, 0)
  await page.click('text=See all deployments')
  expect(await page.locator('h1').textContent()).toBe('Deployments')
})

browserTest('a profile in the background says later that its account was deleted', async (visitor) => {
  const ada = await signUpPoster(service)
  const page = await openLive(visitor, `${service.url}/${ada.username}`)
  await setHidden(page, true)
  await untilReads(async () => service.feed.watcherCount, 0)
  await deleteAccount(ada)
  await setHidden(page, false)
  await untilReads(() => page.locator('h1').allTextContents(), ['This account was deleted'])
})
