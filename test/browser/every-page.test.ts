import { beforeAll, describe, expect } from 'bun:test'
import { readFileSync } from 'node:fs'
import type { BrowserContext, Page } from 'playwright-core'
import { Unavailable } from '../../src/database/errors.ts'
import type { State } from '../support/browser/every-state.ts'
import { emptyStates, states, unavailableStates } from '../support/browser/every-state.ts'
import { settle } from '../support/browser/made-states.ts'
import type { Visitor } from '../support/browser/visitor.ts'
import { browserTest } from '../support/browser/visitor.ts'
import { emptyDatabase, failingDatabase } from '../support/database.ts'
import type { Person } from '../support/people.ts'
import type { Service } from '../support/service.ts'
import { useService } from '../support/service.ts'

/** The minified file, which is half as large as the text that the package exports. */
const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8')
/** The narrowest is last, so that axe-core examines it: there, fingers have the least room. */
const widths = [1280, 768, 320]
/** Whether a finger can hit each target: axe-core checks it only if asked to. */
const rules = { 'target-size': { enabled: true } }
/** The rules that a page can break in one window or colour scheme and keep in another. */
const ofWindowAndScheme = { runOnly: ['target-size', 'color-contrast'], rules }

/** Removes all but eight of the siblings that are alike: a calendar has 365 days, a list 25 entries. */
const trim = `
  for (const element of [...document.querySelectorAll('body *')].reverse()) {
    const isAlike = (other) => other.localName === element.localName && other.getAttribute('class') === element.getAttribute('class')
    if ([...(element.parentElement?.children ?? [])].filter(isAlike).indexOf(element) >= 8) element.remove()
  }`

const service = await useService({ WEBHOOKS: 'any' })
const unavailable = await useService({}, failingDatabase(new Unavailable('no answer')))

describe('without users', () => {
  beforeAll(() => emptyDatabase(service.db))
  for (const state of emptyStates) examine(state, service)
})

describe('with people and deployments', () => {
  beforeAll(() => settle(service))
  for (const state of states) examine(state, service)
})

describe('while the database cannot answer', () => {
  for (const state of unavailableStates) examine(state, unavailable)
})

function examine(state: State, from: Service): void {
  browserTest(
    `${state.name}, every page fits every window and is accessible, light and dark`,
    async (visitor) => {
      const page = await openState(state, from, visitor)
      const found: unknown[] = []
      for (const width of widths) {
        await page.setViewportSize({ width, height: 800 })
        found.push(...(await overflowOf(page)).map((element) => `wider than ${width} px: ${element}`))
      }
      await page.evaluate(trim)
      await page.evaluate(axe)
      found.push(...(await violationsOf(page, ofWindowAndScheme)).map((one) => `narrow and light: ${one}`))
      await page.setViewportSize({ width: 1280, height: 800 })
      await page.emulateMedia({ colorScheme: 'dark' })
      found.push(...(await violationsOf(page, { rules })).map((one) => `wide and dark: ${one}`))
      expect(found).toEqual([])
    },
    // Chromium reports each answer with an error status as a failed load.
    { reducedMotion: 'reduce', colorScheme: 'light', expected: [/status of [45]\d\d/] },
  )
}

async function openState(state: State, from: Service, { context, open }: Visitor): Promise<Page> {
  const { path, who, asked, act } = state
  const url = from.url + path
  if (who !== undefined) await signInAs(context, from, await who(from))
  if (asked !== undefined) {
    await context.route(url, async (route) => {
      await route.fulfill({ response: await route.fetch(asked) })
    })
  }
  const page = await open(url)
  await act?.(page, from)
  await page.waitForLoadState()
  return page
}

async function signInAs(context: BrowserContext, { url }: Service, { cookie }: Person): Promise<void> {
  const [name = '', value = ''] = cookie.split('=')
  await context.addCookies([{ name, value, url }])
}

/** The elements that reach beyond the window, if the page itself is wider than the window. */
async function overflowOf(page: Page): Promise<readonly string[]> {
  return await page.evaluate(`
    document.documentElement.scrollWidth <= innerWidth ? [] : [...document.querySelectorAll('body *')]
      .filter((element) => element.getBoundingClientRect().right > innerWidth)
      .map((element) => element.tagName + '.' + element.getAttribute('class'))`)
}

async function violationsOf(page: Page, options: object = {}): Promise<readonly string[]> {
  return await page.evaluate(`
    axe.run(${JSON.stringify({ ...options, resultTypes: ['violations'] })}).then(({ violations }) => violations.flatMap(({ id, help, nodes }) =>
      nodes.map(({ target, any }) => [id, help, target.join(' '), ...any.map(({ message }) => message)].join('; '))))`)
}
