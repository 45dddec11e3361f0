import { beforeAll, describe, expect } from 'bun:test'
import { sql } from 'drizzle-orm'
import { browserTest } from '../../support/browser/visitor.ts'
import { emptyDatabase, query } from '../../support/database.ts'
import { signUpPoster } from '../../support/people.ts'
import { useService } from '../../support/service.ts'

const service = await useService()

/** Entries of different heights, more than a window has room for. */
beforeAll(async () => {
  await emptyDatabase(service.db)
  const ada = await signUpPoster(service)
  const url = 'https://github.com/ada/engine/pull/1'
  for (let n = 0; n < 12; n += 1) {
    const message = `fix: ${n}${'\nAnd what it was.'.repeat(n % 4)}`
    const id = await ada.announced({ message, url })
    paths.profile = `/${ada.username}`
    paths.project = `/${ada.username}/github.com/ada/engine`
    paths.deployment = `/${ada.username}/${id}`
  }
  // An age in minutes would change while a page is loaded.
  for (const table of ['deployments', 'latest_deployments', 'targets']) {
    await query(
      service.db,
      sql`update ${sql.identifier(table)} set deployed_at = deployed_at - interval '3 hours'`,
    )
  }
})

const paths: Record<string, string> = {
  feed: '/',
  search: '/?q=fix',
  profile: '',
  project: '',
  deployment: '',
}

const observed = `
  window.shifts = []
  new PerformanceObserver((list) => list.getEntries().forEach(({ value, sources }) =>
    window.shifts.push({ value, moved: sources.map(({ node }) => (node?.parentElement ?? node)?.outerHTML?.slice(0, 200)) })))
    .observe({ type: 'layout-shift', buffered: true })`

describe('no layout shifts while a page loads', () => {
  for (const width of [320, 360, 1280]) {
    for (const name of Object.keys(paths)) {
      browserTest(
        `the ${name}, ${width} px wide`,
        async ({ context, open }) => {
          await context.addInitScript(observed)
          const page = await open(service.url + paths[name])
          await page.waitForSelector(name === 'deployment' ? '.deployment-page' : '[data-state=live]')
          await page.waitForFunction('[...document.images].every(({ complete }) => complete)')
          // The smaller shifts come from a badge that is some pixels wider than it should be.
          const shifts = await page.evaluate<{ value: number; moved: string[] }[]>('shifts')
          expect(shifts.filter(({ value }) => value >= 0.001)).toEqual([])
        },
        { viewport: { width, height: 700 }, hasTouch: width < 400, timezoneId: 'Asia/Ho_Chi_Minh' },
      )
    }
  }
})
