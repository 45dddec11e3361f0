import { afterAll, expect } from 'bun:test'
import { browserTest } from '../../support/browser/visitor.ts'
import { signUpPoster } from '../../support/people.ts'
import { useService } from '../../support/service.ts'

const service = await useService()
const ada = await signUpPoster(service, { username: 'ada' })
const url = 'https://github.com/ada/engine/pull/1'
await ada.announced({ message: 'feat: saved searches\n\nSee https://docs.example/', url, version: 'v1.0.0' })
const path = '/ada/github.com/ada/engine/changelog'

/** A page of another origin that shows this. */
let shown = ''
const site = Bun.serve({
  port: 0,
  fetch: () =>
    new Response(`<!doctype html><title>Elsewhere</title>${shown}`, {
      headers: { 'Content-Type': 'text/html' },
    }),
})
afterAll(() => site.stop(true))
const elsewhere = `http://ship.lan:${site.port}/`

browserTest(
  'another site shows the frame of oEmbed, with its style, and its links open elsewhere',
  async (visitor) => {
    const answer = await service.fetch(`/oembed?url=${encodeURIComponent(`http://shipfeed.test${path}`)}`)
    const { html } = (await answer.json()) as { readonly html: string }
    shown = html.replace('http://shipfeed.test', service.url)
    const page = await visitor.open(elsewhere)
    const frame = page.frameLocator('iframe')
    const change = frame.locator('.change > a')
    expect(await change.textContent()).toBe('Saved searches')
    const styleOf = `getComputedStyle(document.querySelector('h2 > a')).textDecorationLine`
    const decoration = await page.frames()[1]?.evaluate(styleOf)
    expect(decoration).toBe('none')
    const [opened] = await Promise.all([visitor.context.waitForEvent('page'), change.click()])
    await opened.waitForLoadState()
    expect(new URL(opened.url()).pathname).toMatch(/^\/ada\/\d+$/)
    expect(page.url()).toBe(elsewhere)
    expect(await visitor.context.cookies()).toEqual([])
  },
  // Playwright looks into the frame by scripts, which the sandbox blocks.
  { expected: [/^console: Blocked script execution/] },
)

browserTest(
  'no other site shows the page itself',
  async (visitor) => {
    shown = `<iframe src="${service.url}${path}"></iframe>`
    const page = await visitor.open(elsewhere)
    expect(await page.frameLocator('iframe').locator('.change').count()).toBe(0)
  },
  { expected: [/frame/i] },
)

browserTest('on paper there is only the changelog', async (visitor) => {
  const page = await visitor.open(service.url + path)
  await page.emulateMedia({ media: 'print' })
  for (const name of ['.site', '.foot', '.changelog-forms'])
    expect([name, await page.locator(name).isVisible()]).toEqual([name, false])
  for (const name of ['h1', '.changelog-entry h2', '.change'])
    expect([name, await page.locator(name).isVisible()]).toEqual([name, true])
})
