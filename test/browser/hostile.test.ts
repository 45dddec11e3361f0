import { afterAll, beforeEach, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { headlineOf } from '../../src/domain/message/headline.ts'
import { openLive, untilReads, untilState } from '../support/browser/live-page.ts'
import { payloads } from '../support/browser/payloads.ts'
import { browserTest } from '../support/browser/visitor.ts'
import { emptyDatabase } from '../support/database.ts'
import { lettersIn, lettersListed, lettersShown } from '../support/markup.ts'
import type { Poster } from '../support/people.ts'
import { signUpPoster } from '../support/people.ts'
import { startService, useService } from '../support/service.ts'

const service = await useService()
const polled = await startService({ STREAMS_PER_ADDRESS: '0' })
beforeEach(() => emptyDatabase(service.db))
afterAll(polled.close)

test('there are at least 60 different payloads', () => {
  expect(new Set(payloads).size).toBe(payloads.length)
  expect(payloads.length).toBeGreaterThanOrEqual(60)
})

browserTest('hostile messages stay text on the stream', async (visitor) => {
  const ada = await signUpPoster(service)
  await ada.announce({ message: 'harmless' })
  const page = await openLive(visitor, service.url)
  await announceAll(ada)
  await expectText(page)
  await untilState(page, 'Live')
})

browserTest('hostile messages stay text in the answer to a poll', async (visitor) => {
  const ada = await signUpPoster(polled)
  await ada.announce({ message: 'harmless' })
  await visitor.context.clock.install()
  const page = await visitor.open(polled.url)
  await untilState(page, 'Every 20 seconds')
  await announceAll(ada)
  await page.clock.fastForward('00:20')
  await expectText(page)
})

browserTest('hostile messages stay text on a page, and in the older part that htmx adds', async (visitor) => {
  const ada = await signUpPoster(service)
  await ada.announce({ message: 'harmless' })
  await announceAll(ada)
  const page = await openLive(visitor, `${service.url}/${ada.username}`)
  for (let shown = 25; shown <= payloads.length; shown += 25) {
    await page.click('text=Older deployments')
    await untilReads(() => page.locator('.entry').count(), Math.min(shown + 25, payloads.length + 1))
  }
  await expectText(page)
})

/** Loading a page takes a while, so each message has two payloads: one as its subject, one as its body. */
const pairs = payloads.flatMap((payload, n) =>
  n % 2 === 0 ? [`${payload}\n\n${payloads[n + 1] ?? ''}`] : [],
)

browserTest('hostile messages stay text on their own pages', async (visitor) => {
  const ada = await signUpPoster(service)
  const page = await visitor.context.newPage()
  for (const message of pairs) {
    const id = await ada.announced({ message })
    await page.goto(`${service.url}/${ada.username}/${id}`)
    const parts = page.locator('.deployment-page h1, .deployment-page .prose')
    const shown = (await parts.allTextContents()).join('\n')
    const { prefix, subject, suffix, body } = headlineOf(message)
    expect(lettersIn(shown)).toBe(lettersIn(prefix + subject + suffix) + lettersShown(body))
    expect(await page.locator('h1 > :not(.soft)').count()).toBe(0)
    const names = await page.locator('.prose *').evaluateAll(namesOf)
    expect(names.filter((name) => !drawn.test(name))).toEqual([])
    expect(await page.title()).toEndWith('Shipfeed')
    expect(await page.evaluate('globalThis.wasRun')).toBeUndefined()
  }
})

for (const width of [1280, 360]) {
  browserTest(`stacked marks stay within the heading of their page, ${width} px wide`, async (visitor) => {
    const ada = await signUpPoster(service)
    const page = await visitor.context.newPage()
    await page.setViewportSize({ width, height: 800 })
    const around = async (marks: string) => {
      const message = `Z${marks}algo${marks}`
      const id = await ada.announced({ message })
      await page.goto(`${service.url}/${ada.username}/${id}`)
      const parts = [page.locator('body > header'), page.locator('.who-to')]
      return await Promise.all(parts.map(async (part) => (await part.screenshot()).toBase64()))
    }
    expect(await around('\u0301\u0316\u0327\u030d'.repeat(12))).toEqual(await around(''))
  })
}

browserTest('a name of one emoji has the usual space after it', async (visitor) => {
  const [rocket, ada] = [
    await signUpPoster(service, { name: '🚀' }),
    await signUpPoster(service, { name: 'Ada' }),
  ]
  for (const poster of [rocket, ada]) await poster.announce({ message: 'fix: it', url: 'https://ada.dev' })
  const page = await openLive(visitor, service.url)
  const after = (name: string) =>
    page.evaluate(`{
      const name = [...document.querySelectorAll('.meta > .quiet')].find((one) => one.textContent === '${name}')
      name.nextElementSibling.getBoundingClientRect().left - name.firstElementChild.getBoundingClientRect().right
    }`)
  expect(await after('🚀')).toBeCloseTo(Number(await after('Ada')), 1)
})

async function announceAll(poster: Poster): Promise<void> {
  for (const message of payloads) expect((await poster.announce({ message })).status).toBe(201)
}

/** Each message is text, and no entry has an element that is not one of ours. */
async function expectText(page: Page): Promise<void> {
  const expected = ['harmless', ...payloads].reverse().map(lettersListed)
  await untilReads(async () => {
    const entries = await page.locator('.entry').evaluateAll(textsOf)
    return entries.map(lettersIn)
  }, expected)
  expect(await page.locator('.subject > a > :not(.soft)').count()).toBe(0)
  const names = await page.locator('.entry *').evaluateAll(namesOf)
  expect(names.filter((name) => !ours.test(name) && !drawn.test(name))).toEqual([])
  expect(await page.evaluate('globalThis.wasRun')).toBeUndefined()
  expect(await page.title()).toEndWith('· Shipfeed')
}

/** The elements with which a body is drawn. */
const drawn = /^(?:p|a|em|strong|code|pre|ul|ol|li|br)$/
const ours = /^(?:article|svg|path|p|a|bdi|time|span|h3|div|details|summary)$/

type Found = { localName: string; querySelector(selector: string): { textContent: string | null } | null }

const textsOf = (entries: Found[]) =>
  entries.map((entry) =>
    ['.subject', '.lines'].map((part) => entry.querySelector(part)?.textContent ?? '').join('\n'),
  )
const namesOf = (elements: Found[]) => elements.map(({ localName }) => localName)
