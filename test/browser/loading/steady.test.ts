import { beforeAll, describe, expect } from 'bun:test'
import { browserTest } from '../../support/browser/visitor.ts'
import { emptyDatabase } from '../../support/database.ts'
import { signUpPoster } from '../../support/people.ts'
import { useService } from '../../support/service.ts'

const service = await useService()

/** Entries of different heights, more than a window has room for. */
beforeAll(async () => {
  await emptyDatabase(service.db)
  const ada = await signUpPoster(service)
  for (let n = 0; n < 12; n += 1)
    await ada.announce({ message: `fix: ${n}${'\nAnd what it was.'.repeat(n % 4)}` })
})

const observed = `
  window.shifts = 0
  new PerformanceObserver((list) => list.getEntries().forEach(({ value }) => (window.shifts += value)))
    .observe({ type: 'layout-shift', buffered: true })`

describe('a page shifts nothing as it is loaded', () => {
  for (const width of [320, 1280]) {
    for (const path of ['/', '/?q=fix']) {
      browserTest(
        `${path}, ${width} px wide`,
        async ({ context, open }) => {
          await context.addInitScript(observed)
          const page = await open(service.url + path)
          await page.waitForSelector('[data-state=live]')
          expect(await page.evaluate<number>('shifts')).toBe(0)
        },
        { viewport: { width, height: 700 } },
      )
    }
  }
})
