import type { Page } from 'playwright-core'

/** What a page holds: the elements of its document, all nodes that are alive, and bytes of its heap. */
export type Memory = { readonly elements: number; readonly nodes: number; readonly heap: number }

/** Measures after a collection of all garbage, once the page has had the time to rest. */
export async function memoryOf(page: Page, restMs: number): Promise<Memory> {
  await page.waitForTimeout(restMs)
  const client = await page.context().newCDPSession(page)
  await client.send('HeapProfiler.collectGarbage')
  await client.send('Performance.enable')
  const { metrics } = await client.send('Performance.getMetrics')
  await client.detach()
  const metric = (name: string) => metrics.find((found) => found.name === name)?.value ?? 0
  const elements = await page.evaluate<number>(`document.querySelectorAll('*').length`)
  return { elements, nodes: metric('Nodes'), heap: metric('JSHeapUsedSize') }
}
