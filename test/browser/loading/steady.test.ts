import { afterAll, beforeAll, describe, expect } from 'bun:test'
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

/** The service by a slow network: a page comes in pieces, and the browser shows what it has. */
const slow = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  async fetch({ url, headers, signal }) {
    headers.set('Accept-Encoding', 'identity')
    const answer = await fetch(url.replace(/^http:..[^/]*/, service.url), { headers, signal })
    const isPage = answer.headers.get('content-type')?.startsWith('text/html')
    return isPage ? new Response(inPieces(await answer.bytes()), answer) : answer
  },
})
afterAll(() => slow.stop(true))

/** The header comes whole: a connection begins with ten packets, and it is in the first two. */
async function* inPieces(page: Uint8Array) {
  const header = Buffer.from(page).indexOf('</header>')
  yield page.subarray(0, header)
  for (let from = header; from < page.length; from += 1_024) {
    await Bun.sleep(100)
    yield page.subarray(from, from + 1_024)
  }
}

/** The smaller shifts come from a badge that is some pixels wider than it should be. */
const fast = { network: 'a fast network', origin: service.url, least: 0.001, widths: [320, 360, 1280] }
/** A list of facts or links that is cut in the middle may wrap once more. */
const slowly = { network: 'a slow network', origin: slow.url.origin, least: 0.005, widths: [360, 1280] }

describe.each([fast, slowly])('no layout shifts while a page loads by $network', (by) => {
  for (const width of by.widths) {
    for (const name of Object.keys(paths)) {
      browserTest(
        `the ${name}, ${width} px wide`,
        async ({ context, open }) => {
          await context.addInitScript(observed)
          const page = await open(by.origin + paths[name])
          await page.waitForSelector(name === 'deployment' ? '.deployment-page' : '[data-state=live]')
          await page.waitForFunction('[...document.images].every(({ complete }) => complete)')
          const shifts = await page.evaluate<{ value: number; moved: string[] }[]>('shifts')
          expect(shifts.filter(({ value }) => value >= by.least)).toEqual([])
        },
        { viewport: { width, height: 700 }, hasTouch: width < 400, timezoneId: 'Asia/Ho_Chi_Minh' },
      )
    }
  }
})
