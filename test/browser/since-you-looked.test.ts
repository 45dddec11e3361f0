import { beforeEach, expect } from 'bun:test'
import type { Page } from 'playwright-core'
import {
  openLive,
  outline,
  setHidden,
  untilReads,
  untilState,
  waiting,
} from '../support/browser/live-page.ts'
import { browserTest } from '../support/browser/visitor.ts'
import { emptyDatabase } from '../support/database.ts'
import { signUpPoster } from '../support/people.ts'
import { useService } from '../support/service.ts'

const service = await useService()
beforeEach(() => emptyDatabase(service.db))

/** The list from the top: the ids of its entries, and the text of a mark between them. */
async function parts(page: Page): Promise<string[]> {
  return await page.evaluate(
    `[...document.querySelectorAll('#deployments li')].map((part) => part.id || part.textContent.trim())`,
  )
}

browserTest(
  'one mark is below what arrived while the tab was hidden, until the next load',
  async (visitor) => {
    const ada = await signUpPoster(service)
    const announce = async (message: string) => {
      const id = await ada.announced({ message })
      return `deployment-${id}`
    }
    const before = await announce('before')
    await visitor.context.clock.install()
    const page = await openLive(visitor, service.url)
    await setHidden(page, true)
    await page.clock.fastForward('20:10')
    const missed = [await announce('one'), await announce('two')].toReversed()
    await setHidden(page, false)
    await untilState(page, 'Live')
    await untilReads(() => parts(page), [...missed, '2 new since you looked, 20 min ago', before])

    // The mark does not count what arrives from now on.
    const seen = await announce('three')
    await untilReads(() => parts(page), [seen, ...missed, '2 new since you looked, 20 min ago', before])
    await page.clock.fastForward('01:00')
    await untilReads(() => parts(page), [seen, ...missed, '2 new since you looked, 21 min ago', before])

    await setHidden(page, true)
    await page.clock.fastForward('02:10')
    const last = await announce('four')
    await setHidden(page, false)
    await untilReads(() => parts(page), [last, '1 new since you looked, 2 min ago', seen, ...missed, before])
    await page.reload()
    await untilReads(() => parts(page), [last, seen, ...missed, before])
  },
  // The clock of the page jumps, maybe while it asks for the chart.
  { expected: [/htmx:error: timeout \{elt: aside#pulse/] },
)

browserTest('a reader who comes back to a paused page sees the mark when it resumes', async (visitor) => {
  const ada = await signUpPoster(service)
  for (const message of ['earlier', 'before']) await ada.announce({ message })
  const page = await openLive(visitor, service.url)
  await page.click('#pause')
  await setHidden(page, true)
  for (const message of ['one', 'two', 'three']) await ada.announce({ message })
  await setHidden(page, false)
  await untilReads(() => waiting(page), '3 new deployments')
  expect(await page.locator('.since').count()).toBe(0)
  await page.click('#pause')
  expect((await parts(page))[3]).toBe('3 new since you looked, just now')
  expect(await outline(page)).toEqual(['# Today', 'three', 'two', 'one', 'before', 'earlier'])
})
