import { beforeEach, expect } from 'bun:test'
import { sql } from 'drizzle-orm'
import type { Page } from 'playwright-core'
import { openLive, untilReads, untilState } from '../../support/browser/live-page.ts'
import { browserTest } from '../../support/browser/visitor.ts'
import { emptyDatabase, query } from '../../support/database.ts'
import { passMidnight } from '../../support/eventually.ts'
import { type Poster, signUpPoster } from '../../support/people.ts'
import { useService } from '../../support/service.ts'

const service = await useService()
beforeEach(() => emptyDatabase(service.db))

const url = 'https://github.com/ada/engine'
const released = (ada: Poster, version: string, environment: string) =>
  ada.announced({ message: `${version} to ${environment}`, url, version, environment })

/** The headlines in the order of the list with the stops below them, in brackets those that a row hides. */
async function shownIn(page: Page): Promise<string[]> {
  return await page.evaluate<string[]>(`[...document.querySelectorAll('#deployments .entry')].map((entry) => {
    const name = entry.querySelector('h3').textContent
    const isSeen = entry.querySelector('h3 a').checkVisibility({ visibilityProperty: true })
    const stops = [...entry.querySelectorAll('.journey > li')].map((stop) => stop.innerText.replace(/\\s+/g, ' ').trim())
    return (isSeen ? name : '(' + name + ')') + (stops.length === 0 ? '' : ': ' + stops.join(', '))
  })`)
}

const leg = 'after < 1 min'

browserTest('a release that travels is one row, which grows when it arrives', async (visitor) => {
  const ada = await signUpPoster(service)
  await released(ada, 'v0', 'production')
  const dev = await released(ada, 'v1', 'dev')
  const page = await openLive(visitor, service.url)
  expect(await shownIn(page)).toEqual(['v1 to dev', 'v0 to production'])
  const test = await released(ada, 'v1', 'test')
  const two = [`v1 to test: dev, ${leg} test`, '(v1 to dev)', 'v0 to production']
  await untilReads(() => shownIn(page), two)
  const production = await released(ada, 'v1', 'production')
  const three = [`v1 to production: dev, ${leg} test, ${leg} production`, '(v1 to test)', ...two.slice(1)]
  await untilReads(() => shownIn(page), three)
  const links = await page
    .locator('.journey a')
    .evaluateAll((all: { getAttribute(name: string): string }[]) =>
      all.map((one) => one.getAttribute('href')),
    )
  expect(links).toEqual([dev, test, production].map((id) => `/${ada.username}/${id}`))
  expect(await shownIn(await visitor.open(service.url))).toEqual(three)
  await ada.send(`/${ada.username}/${production}/delete`, {})
  await untilReads(() => shownIn(page), two)
  await ada.send(`/${ada.username}/${test}/delete`, {})
  await untilReads(() => shownIn(page), ['v1 to dev', 'v0 to production'])
})

for (const javaScriptEnabled of [true, false]) {
  browserTest(
    `what is drawn first is a row too, ${javaScriptEnabled ? 'with' : 'without'} scripts`,
    async (visitor) => {
      const ada = await signUpPoster(service)
      await released(ada, 'v1', 'dev')
      await released(ada, 'v1', 'staging')
      await released(ada, 'v2', 'dev')
      await query(
        service.db,
        sql`update deployments set deployed_at = date_trunc('day', now()) + id * interval '1 second'`,
      )
      await query(
        service.db,
        sql`update deployments set deployed_at = deployed_at + interval '1 hour' where version = 'v2' or environment = 'staging'`,
      )
      for (const path of [
        '/',
        `/${ada.username}`,
        `/${ada.username}/github.com/ada/engine`,
        `/${ada.username}/github.com`,
      ]) {
        const page = await visitor.open(service.url + path)
        expect(await shownIn(page)).toEqual([
          'v2 to dev',
          'v1 to staging: dev, after 1 h staging',
          '(v1 to dev)',
        ])
      }
    },
    { javaScriptEnabled, timezoneId: 'UTC' },
  )
}

for (const javaScriptEnabled of [true, false]) {
  browserTest(
    `a release that takes days is a row of each, with its whole way, ${javaScriptEnabled ? 'with' : 'without'} scripts`,
    async (visitor) => {
      await passMidnight(60_000)
      const ada = await signUpPoster(service)
      for (const environment of ['dev', 'test', 'staging']) await released(ada, 'v1', environment)
      await query(
        service.db,
        sql`
          update deployments set deployed_at = date_trunc('day', now()) - interval '2 days'
            + case environment when 'test' then interval '3 hours' else interval '1 hour' end
          where environment <> 'staging'`,
      )
      await query(
        service.db,
        sql`
          update deployments set deployed_at = date_trunc('day', now()) + interval '1 second'
          where environment = 'staging'`,
      )
      const page = await visitor.open(service.url)
      const earlier = ['v1 to test: dev, after 2 h test', '(v1 to dev)']
      expect(await shownIn(page)).toEqual([
        'v1 to staging: dev, after 2 h test, after 1 d staging',
        ...earlier,
      ])
      if (!javaScriptEnabled) return
      await untilState(page, 'Live')
      await released(ada, 'v1', 'production')
      await untilReads(async () => (await shownIn(page)).slice(1), ['(v1 to staging)', ...earlier])
      expect((await shownIn(page))[0]).toStartWith(
        'v1 to production: dev, after 2 h test, after 1 d staging, after ',
      )
    },
    { javaScriptEnabled, timezoneId: 'UTC' },
  )
}

browserTest('what is not one release, or is at one place twice, stays apart', async (visitor) => {
  const ada = await signUpPoster(service)
  const announce = (fields: Record<string, string>) => ada.announced({ url, environment: 'dev', ...fields })
  await announce({ message: 'one', commit: 'aaaaaaa1', version: 'v1' })
  await announce({ message: 'other commit', environment: 'staging', commit: 'bbbbbbb1', version: 'v1' })
  await announce({ message: 'other project', environment: 'test', url: `${url}-2`, version: 'v1' })
  await announce({ message: 'again', environment: 'DEV', version: 'v2' })
  await announce({ message: 'and again', version: 'v2' })
  const bob = await signUpPoster(service)
  await bob.announced({ message: 'of somebody else', url, environment: 'staging', version: 'v2' })
  await announce({ message: 'neither', environment: 'staging' })
  await announce({ message: 'nor', environment: 'production' })
  await ada.announced({ message: 'nowhere', url, version: 'v3' })
  await announce({ message: 'somewhere', version: 'v3' })
  const page = await openLive(visitor, service.url)
  const names = ['somewhere', 'nowhere', 'nor', 'neither', 'of somebody else', 'and again', 'again']
  const all = [...names, 'other project', 'other commit', 'one']
  expect(await shownIn(page)).toEqual(all)
  await announce({ message: 'live', environment: 'staging', commit: 'AAAAAAA1BB', version: 'v9' })
  await announce({ message: 'too', environment: 'production', commit: 'aaaaaaa1', version: 'v8' })
  const row = [`too: dev, ${leg} staging, ${leg} production`, '(live)']
  const rest = [...all.slice(0, -1), '(one)']
  await untilReads(() => shownIn(page), [...row, ...rest])
  expect(await shownIn(await visitor.open(service.url))).toEqual([...row, ...rest])
})

browserTest('nothing that is read is hidden, and a row goes on in the older part', async (visitor) => {
  const ada = await signUpPoster(service)
  await released(ada, 'v1', 'dev')
  await released(ada, 'v1', 'test')
  for (let n = 0; n < 24; n += 1) await ada.announced({ message: `m${n}`, url })
  const page = await openLive(visitor, service.url)
  expect((await shownIn(page)).at(-1)).toBe('v1 to test')
  await page.click('text=Older deployments')
  await untilReads(
    async () => (await shownIn(page)).slice(-2),
    [`v1 to test: dev, ${leg} test`, '(v1 to dev)'],
  )
  expect(
    await page.evaluate('document.activeElement.closest(".entry").querySelector("h3").textContent'),
  ).toBe('v1 to test')
  await released(ada, 'v2', 'dev')
  await page.locator('#waiting:not([hidden])').waitFor()
  await page.click('#waiting')
  await untilReads(async () => (await shownIn(page))[0], 'v2 to dev')
  await page.keyboard.press('j')
  await released(ada, 'v2', 'test')
  await page.locator('#waiting:not([hidden])').waitFor()
  expect((await shownIn(page))[0]).toBe('v2 to dev')
})

browserTest('what lies between stays, and a run below names its project again', async (visitor) => {
  const ada = await signUpPoster(service)
  const bob = await signUpPoster(service)
  await ada.announced({ message: 'before', url })
  await released(ada, 'v1', 'dev')
  await released(ada, 'v1', 'staging')
  await bob.announced({ message: 'between', url })
  const page = await openLive(visitor, service.url)
  await released(ada, 'v1', 'production')
  const shown = [
    `v1 to production: dev, ${leg} staging, ${leg} production`,
    'between',
    '(v1 to staging)',
    '(v1 to dev)',
    'before',
  ]
  await untilReads(() => shownIn(page), shown)
  const loaded = await visitor.open(service.url)
  expect(await shownIn(loaded)).toEqual(shown)
  for (const each of [page, loaded]) {
    expect(await each.locator('.entry:last-child .project').isVisible()).toBeTrue()
    expect(
      await each.evaluate(`getComputedStyle(document.querySelector('.day'), '::after').content`),
    ).toContain('entries')
  }
  await released(ada, 'v2', 'production')
  await released(ada, 'v1', 'production')
  await released(ada, 'v1', 'staging')
  const after = ['v1 to staging', 'v1 to production', 'v2 to production', ...shown]
  await untilReads(() => shownIn(page), after)
  expect(await shownIn(await visitor.open(service.url))).toEqual(after)
})

browserTest('a search, and a list of one environment, hide nothing', async (visitor) => {
  const ada = await signUpPoster(service)
  for (const environment of ['dev', 'staging']) await released(ada, 'v1', environment)
  for (const path of ['/?q=v1', '/?env=dev']) {
    const page = await visitor.open(service.url + path)
    const all = path === '/?q=v1' ? ['v1 to staging', 'v1 to dev'] : ['v1 to dev']
    expect(await shownIn(page)).toEqual(all)
  }
})

browserTest('a row has at most eight stops', async (visitor) => {
  const ada = await signUpPoster(service)
  for (let n = 1; n <= 9; n += 1) await released(ada, 'v1', `pr-${n}`)
  const page = await openLive(visitor, service.url)
  const rows = async () => (await shownIn(page)).filter((one) => !one.startsWith('('))
  const stops = Array.from({ length: 8 }, (_, n) => `pr-${n + 2}`).join(`, ${leg} `)
  expect(await rows()).toEqual([`v1 to pr-9: ${stops}`, 'v1 to pr-1'])
})
