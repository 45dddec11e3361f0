// `bun bench/browser/wall.ts [arrivals] [a second]`: what a wallboard holds while that many deployments arrive.

import { sql } from 'drizzle-orm'
import { chromium } from 'playwright-core'
import { memoryOf } from '../../test/support/browser/memory.ts'
import { emptyDatabase, query } from '../../test/support/database.ts'
import { signUpPoster } from '../../test/support/people.ts'
import { leaveSharedDatabase, startService } from '../../test/support/service.ts'

const [arrivals = 100_000, perSecond = 500] = process.argv.slice(2).map(Number)
const perBatch = 50
const readings = 10

const service = await startService()
await emptyDatabase(service.db)
const { username } = await signUpPoster(service)
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
})
const page = await browser.newPage({ viewport: { width: 1920, height: 1080 } })
await page.goto(`${service.url}/wall`)
await page.evaluate(`
  longest = 0
  new PerformanceObserver((tasks) => {
    for (const { duration } of tasks.getEntries()) longest = Math.max(longest, duration)
  }).observe({ type: 'longtask' })`)

console.log('arrived  elements  nodes  heap (MB)  longest task (ms)')
const begin = performance.now()
for (let arrived = 0; arrived < arrivals; arrived += perBatch) {
  if (arrived % (arrivals / readings) === 0) await report(arrived)
  const due = begin + (arrived / perSecond) * 1_000
  await insert(arrived)
  service.feed.look()
  await Bun.sleep(Math.max(0, due - performance.now()))
}
await report(arrivals)
console.log(`in ${Math.round((performance.now() - begin) / 1_000)} s`)
const [first] = await page.locator('#latest .subject').allTextContents()
if (first !== `feat: arrival ${arrivals}`) throw new Error(`the wall shows "${first}" at the top`)
await browser.close()
await service.close()
await leaveSharedDatabase()

async function report(arrived: number): Promise<void> {
  const { elements, nodes, heap } = await memoryOf(page, 5_000)
  const longest = await page.evaluate<number>('longest')
  console.log([arrived, elements, nodes, (heap / 1e6).toFixed(2), Math.round(longest)].join('  '))
}

async function insert(from: number): Promise<void> {
  await query(
    service.db,
    sql`
      insert into deployments (user_id, message, url, category, scopes, target, target_rule, deployed_at)
      select id, 'feat: arrival ' || n || E'\n\nwith a body', 'https://github.com/ada/p' || n % 9, 'feature',
        array['', 'github.com', 'github.com/ada', 'github.com/ada/p' || n % 9], 'github.com/ada/p' || n % 9, 2, statement_timestamp()
      from users, generate_series(${from + 1}::int, ${from + perBatch}::int) n
      where username = ${username} order by n`,
  )
}
