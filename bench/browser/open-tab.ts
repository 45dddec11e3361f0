import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type CDPSession, chromium } from 'playwright-core'
import { type Poster, signUpPoster } from '../../test/support/people.ts'
import { doorOf } from '../../test/support/process.ts'
import { stopAll } from '../processes.ts'
import { shipfeed } from '../servers.ts'

/**
 * What a feed that is left open costs its reader: `bun bench/browser/open-tab.ts 10000 20` announces 10,000, twenty a
 * second, and prints what each arrival took of the page's main thread, and what the page holds, twenty times on the
 * way.
 */
const [arrivals = 10_000, aSecond = 20] = process.argv.slice(2).map(Number)
const parts = 20
const directory = mkdtempSync(join(tmpdir(), 'open-tab-'))
const server = await shipfeed({ DATA_DIR: directory })
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
})

type Reading = Readonly<Record<'Nodes' | 'JSHeapUsedSize' | 'TaskDuration' | Cost, number>>
type Cost = 'ScriptDuration' | 'RecalcStyleDuration' | 'LayoutDuration'

try {
  await run()
} finally {
  await browser.close()
  stopAll()
  rmSync(directory, { recursive: true })
}

async function run(): Promise<void> {
  const posters = await Promise.all([1, 2, 3].map(() => signUpPoster(doorOf(server.url))))
  const page = await browser.newPage({ viewport: { width: 1080, height: 800 } })
  await page.goto(server.url)
  await page.waitForSelector('#live-state[data-state=live]')
  await page.evaluate(`
    longest = 0
    new PerformanceObserver((tasks) => {
      for (const { duration } of tasks.getEntries()) longest = Math.max(longest, duration)
    }).observe({ type: 'longtask' })`)
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' })
  console.log(
    'arrivals | a second | ms each: task | script | style | layout | elements | entries | heap MB | longest ms',
  )
  let before = await read(devtools)
  for (let part = 1; part <= parts; part++) {
    // A garbage collection is a long task too, but no reader causes it.
    await page.evaluate('longest = 0')
    const began = performance.now()
    await announceMany(posters, arrivals / parts)
    const rate = arrivals / parts / ((performance.now() - began) / 1_000)
    const after = await read(devtools)
    const [elements, entries, longest] = await page.evaluate<[number, number, number]>(
      `[document.querySelectorAll('*').length, document.querySelectorAll('#deployments .entry').length, longest]`,
    )
    const each = (name: keyof Reading) =>
      (((after[name] - before[name]) * 1_000) / (arrivals / parts)).toFixed(2)
    const costs = (['TaskDuration', 'ScriptDuration', 'RecalcStyleDuration', 'LayoutDuration'] as const).map(
      each,
    )
    const heap = (after.JSHeapUsedSize / 1_000_000).toFixed(1)
    const line = [
      (arrivals / parts) * part,
      rate.toFixed(1),
      ...costs,
      elements,
      entries,
      heap,
      longest.toFixed(0),
    ]
    console.log(line.join(' | '))
    before = after
  }
}

/** The browser's counters of a page, after a garbage collection. */
async function read(devtools: CDPSession): Promise<Reading> {
  await devtools.send('HeapProfiler.collectGarbage')
  const { metrics } = await devtools.send('Performance.getMetrics')
  return Object.fromEntries(metrics.map(({ name, value }) => [name, value])) as Reading
}

/** Announces at fixed intervals, however long each call takes. */
async function announceMany(posters: readonly Poster[], count: number): Promise<void> {
  const began = performance.now()
  const answers: Promise<Response>[] = []
  for (let n = 0; n < count; n++) {
    await Bun.sleep(Math.max(0, began + (n * 1_000) / aSecond - performance.now()))
    const poster = posters[n % posters.length]
    if (poster !== undefined) answers.push(poster.announce(contentOf(n)))
  }
  for (const { status } of await Promise.all(answers)) {
    if (status !== 201) throw new Error(`An announcement was answered with ${status}`)
  }
}

/** Messages of one line, with a body that is shown, and with one that is folded. */
function contentOf(n: number): { message: string; url: string } {
  const body = ['', '\n\nPin one, get it back everywhere.\nWorks offline too.', '\n\n- And more'.repeat(12)][
    n % 3
  ]
  return {
    message: `${['feat: ', 'fix: ', ''][n % 3]}saved searches ${n}${body}`,
    url: `https://github.com/ada/engine/pull/${n}`,
  }
}
