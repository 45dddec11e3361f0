import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, chromium } from 'playwright-core'
import { stopAll } from '../processes.ts'
import { shipfeed } from '../servers.ts'

/**
 * How long a far reader waits for Live: `bun bench/browser/slow-3g.ts` prints it in seconds, from the request of the
 * feed, of a first visit and of a second one that has the scripts. Another server than its own is measured with its
 * address as an argument.
 */
const [address] = process.argv.slice(2)
const rounds = 5
const bytesASecond = 50_000
const presets = [
  ['Chromium, 2 s', 2_000],
  ['WebPageTest, 0.4 s', 400],
] as const

const directory = mkdtempSync(join(tmpdir(), 'slow-3g-'))
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
})

try {
  const url = address ?? (await shipfeed({ DATA_DIR: directory })).url
  for (const [name, latency] of presets) {
    const [first, second] = await visits(url, latency)
    console.log(`${name}: first visit ${first}, second ${second}`)
  }
} finally {
  await browser.close()
  stopAll()
  rmSync(directory, { recursive: true })
}

/** The median of each figure. */
async function visits(url: string, latency: number): Promise<string[]> {
  const times: [number[], number[]] = [[], []]
  for (let round = 0; round < rounds; round++) {
    const context = await browser.newContext({ viewport: { width: 390, height: 844 } })
    for (const visit of times) visit.push(await secondsToLive(context, url, latency))
    await context.close()
  }
  return times.map((each) => (each.toSorted((a, b) => a - b)[rounds >> 1] ?? Number.NaN).toFixed(1))
}

async function secondsToLive(context: BrowserContext, url: string, latency: number): Promise<number> {
  const page = await context.newPage()
  const devtools = await context.newCDPSession(page)
  await devtools.send('Network.enable')
  const throughput = { downloadThroughput: bytesASecond, uploadThroughput: bytesASecond }
  await devtools.send('Network.emulateNetworkConditions', { offline: false, latency, ...throughput })
  const began = performance.now()
  await page.goto(url, { waitUntil: 'commit' })
  await page.waitForSelector('#live-state[data-state=live]')
  const seconds = (performance.now() - began) / 1_000
  await page.close()
  return seconds
}
