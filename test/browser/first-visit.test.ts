import { beforeAll, expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { settle } from '../support/browser/made-states.ts'
import { browserTest, type Visitor } from '../support/browser/visitor.ts'
import { useService } from '../support/service.ts'

const service = await useService()
beforeAll(() => settle(service))

const paths = ['/', '/ada', '/docs', '/sign-up', '/ada/badge']

for (const path of paths) {
  browserTest(
    `all that a browser loads for a first visit to ${path} weighs 60 KB at most`,
    async (visitor) => {
      const { loads, total } = await weigh(visitor, path)
      expect(loads).toContainEqual([path, expect.any(Number)])
      for (const part of [/site\.css$/, /htmx\.js$/, /app\.js$/, /favicon\.svg$/]) {
        expect(loads).toContainEqual([expect.stringMatching(part), expect.any(Number)])
      }
      expect(total).toBeLessThanOrEqual(60_000)
    },
  )
}

type Load = readonly [path: string, bytes: number]

/** The bytes on the wire, headers and body, of everything that has come until the page and its icon are there. */
async function weigh({ context }: Visitor, path: string): Promise<{ loads: readonly Load[]; total: number }> {
  const page = await context.newPage()
  const loads = await listen(page)
  await page.goto(service.url + path, { waitUntil: 'load' })
  // A browser asks for the icon whenever it likes.
  await page.evaluate("fetch(document.querySelector('link[rel=icon]').href).then((icon) => icon.text())")
  return { loads, total: loads.reduce((sum, [, bytes]) => sum + bytes, 0) }
}

async function listen(page: Page): Promise<readonly Load[]> {
  const loads: Load[] = []
  const paths = new Map<string, string>()
  const devTools = await page.context().newCDPSession(page)
  devTools.on('Network.requestWillBeSent', ({ requestId, request }) => {
    paths.set(requestId, new URL(request.url).pathname)
  })
  devTools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    loads.push([paths.get(requestId) ?? '', encodedDataLength])
  })
  await devTools.send('Network.enable')
  return loads
}
