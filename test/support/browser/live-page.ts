import { expect } from 'bun:test'
import type { Page } from 'playwright-core'
import type { Visitor } from './visitor.ts'

const patienceMs = 60_000

/** Opens a page and waits until it says that it is live. */
export async function openLive(visitor: Visitor, url: string): Promise<Page> {
  const page = await visitor.open(url)
  await untilState(page, 'Live')
  return page
}

export async function untilState(page: Page, state: string): Promise<void> {
  await untilReads(() => page.locator('#live-state').textContent(), state)
}

/**
 * Waits until a page that lost its stream is live again. By itself it waits for up to 11 seconds of its clock, which is
 * ours, and for twice as long if the first attempt failed.
 */
export async function untilBack(page: Page): Promise<void> {
  await page.clock.fastForward('00:21')
  await untilState(page, 'Live')
}

/** Waits until a page whose clock is paused says that it lost its stream, which takes a second of that clock. */
export async function untilLost(page: Page): Promise<void> {
  await untilReads(async () => {
    await page.clock.runFor(100)
    return await page.locator('#live-state').textContent()
  }, 'Reconnecting')
}

/** The first lines of what the list holds, from the top: a day's heading as "# Today" or "# Friday 20 November", a gap as "…". */
export async function outline(page: Page): Promise<string[]> {
  return await page.evaluate(`
    [...document.querySelectorAll('.day > h2, #deployments .entry')].map((part) =>
      part.matches('h2') ? '# ' + part.textContent.split(',')[0]
      : part.matches('.gap') ? '…'
      : part.querySelector('.subject').textContent)`)
}

/** The label of the button that lets in the waiting deployments; null if none wait. */
export async function waiting(page: Page): Promise<string | null> {
  const button = page.locator('#waiting')
  return (await button.isVisible()) ? await button.textContent() : null
}

/** Waits until something reads as expected. */
export async function untilReads<Value>(read: () => Promise<Value>, expected: Value): Promise<void> {
  const end = performance.now() + patienceMs
  while (performance.now() < end) {
    // While the page reloads, it cannot be read.
    const seen = await read().catch((error: Error) => {
      if (!error.message.includes('Execution context was destroyed')) throw error
    })
    if (Bun.deepEquals(seen, expected)) return
    await Bun.sleep(20)
  }
  expect<unknown>(await read()).toEqual(expected)
}

/** Has the tab go to the background, or come back, as far as its page can tell. */
export async function setHidden(page: Page, isHidden: boolean): Promise<void> {
  await page.evaluate(`
    Object.defineProperty(document, 'hidden', { value: ${isHidden}, configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))`)
}
