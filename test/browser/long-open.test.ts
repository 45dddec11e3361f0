import { beforeEach, expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { openLive, outline, untilReads, waiting } from '../support/browser/live-page.ts'
import { browserTest } from '../support/browser/visitor.ts'
import { emptyDatabase } from '../support/database.ts'
import { patience } from '../support/eventually.ts'
import { inParallel } from '../support/parallel.ts'
import { type Poster, signUpPoster } from '../support/people.ts'
import { useService } from '../support/service.ts'

const service = await useService({ RATE_LIMIT_PER_MINUTE: '0' })
beforeEach(() => emptyDatabase(service.db))

const arrivals = 400
const body = '\n\n- Saved searches\n- A link: https://github.com/ada/engine\n- and 🎉'
/** Twenty times as long as a task should take, since CI machines are shared. Without bounds, one took 15 s. */
const longestTaskMs = 2_000
/** The pause of each of eight callers that post at once, together up to 200 deployments a second. */
const pauseMs = 40

browserTest(
  'a tab that stays open keeps 200 deployments, and no arrival blocks it for long',
  async (visitor) => {
    const ada = await signUpPoster(service)
    const page = await openLive(visitor, service.url)
    await page.evaluate(`
    longest = 0
    new PerformanceObserver((tasks) => {
      for (const { duration } of tasks.getEntries()) longest = Math.max(longest, duration)
    }).observe({ type: 'longtask' })`)
    await announceMany(ada, arrivals)
    await untilFirst(page, 'the last one')

    const { entries, nodes, longest } = await page.evaluate<Record<string, number>>(`({
    entries: document.querySelectorAll('#deployments .entry').length,
    nodes: document.querySelectorAll('*').length,
    longest,
  })`)
    expect(entries).toBe(200)
    expect(nodes).toBeLessThan(8_000)
    expect(longest).toBeLessThan(patience(longestTaskMs))

    // The link goes on where the list ends.
    await page.click('text=Older deployments')
    await untilReads(async () => (await outline(page)).length, 1 + 225)
    const ids = await idsOf(page)
    expect(new Set(ids).size).toBe(225)
    expect(ids).toEqual(ids.toSorted((a, b) => b - a))
    expect((ids[0] ?? 0) - (ids.at(-1) ?? 0)).toBe(224)
  },
)

browserTest('100 waiting deployments are kept, and all are counted', async (visitor) => {
  const ada = await signUpPoster(service)
  for (const message of ['earlier', 'before']) await ada.announce({ message })
  const page = await openLive(visitor, service.url)
  await page.click('#pause')
  await announceMany(ada, 149)
  await untilReads(() => waiting(page), '150 new deployments')
  expect(await page.title()).toStartWith('(150) ')
  expect(await page.locator('#arrivals .entry:not(.gap)').count()).toBe(100)
  await page.click('#waiting')
  const shown = await outline(page)
  expect([shown.length, shown[1], ...shown.slice(-3)]).toEqual([
    104,
    'the last one',
    '…',
    'before',
    'earlier',
  ])
  expect(await waiting(page)).toBe(null)
})

async function announceMany(poster: Poster, count: number): Promise<void> {
  await inParallel(Array.from({ length: count }), 8, async () => {
    await Bun.sleep(pauseMs)
    expect((await poster.announce({ message: `feat: one of many${body}` })).status).toBe(201)
  })
  await poster.announce({ message: 'the last one' })
}

async function untilFirst(page: Page, line: string): Promise<void> {
  await untilReads(async () => (await outline(page))[1], line)
}

async function idsOf(page: Page): Promise<number[]> {
  return await page.evaluate(
    `[...document.querySelectorAll('#deployments .entry')].map(({ id }) => Number(id.replace('deployment-', '')))`,
  )
}
