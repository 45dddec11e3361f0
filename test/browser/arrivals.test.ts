import { beforeEach, expect } from 'bun:test'
import { openLive, outline, untilReads } from '../support/browser/live-page.ts'
import { browserTest } from '../support/browser/visitor.ts'
import { emptyDatabase } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'
import { signUpPoster } from '../support/people.ts'
import { useService } from '../support/service.ts'

const service = await useService()
beforeEach(() => emptyDatabase(service.db))

browserTest(
  'an announcement appears on the feed and on the profile, and only where it belongs',
  async (visitor) => {
    const ada = await signUpPoster(service)
    const grace = await signUpPoster(service)
    await ada.announce({ message: 'feat: first', url: 'https://ada.example/engine' })
    // Five: a browser has six connections to a server, and a stream takes one.
    const addresses = {
      feed: '/',
      fixes: '/?category=bug_fix',
      hers: `/${ada.username}`,
      target: `/${ada.username}/ada.example`,
      another: `/${grace.username}`,
    }
    const pages = await Promise.all(
      Object.entries(addresses).map(async ([name, path]) => {
        const page = await openLive(visitor, service.url + path)
        await page.evaluate('window.isSamePage = true')
        return [name, page] as const
      }),
    )

    await ada.announce({ message: 'feat: second', url: 'https://ada.example/engine/2' })
    await ada.announce({ message: 'fix: third', url: 'https://other.example/' })

    const expected = {
      feed: ['# Today', 'fix: third', 'feat: second', 'feat: first'],
      fixes: ['# Today', 'fix: third'],
      hers: ['# Today', 'fix: third', 'feat: second', 'feat: first'],
      target: ['# Today', 'feat: second', 'feat: first'],
      another: [],
    }
    await untilReads(
      async () =>
        Object.fromEntries(await Promise.all(pages.map(async ([name, page]) => [name, await outline(page)]))),
      expected,
    )
    for (const [, page] of pages) expect(await page.evaluate('window.isSamePage')).toBe(true)
  },
)

browserTest('an arriving entry looks the same as after a reload', async (visitor) => {
  const ada = await signUpPoster(service)
  const page = await openLive(visitor, `${service.url}/`)
  await ada.announce({
    message: '✨ Saved searches\n\n\tby <Ada> & "friends" 🎉',
    url: 'https://ada.example/a?b=1&c=2',
  })
  await untilReads(() => outline(page), ['# Today', '✨ Saved searches'])
  const arrived = (await page.locator('.day').innerHTML()).replace('entry arrived', 'entry')
  await page.reload()
  expect(await page.locator('.day').innerHTML()).toBe(arrived)
})

browserTest('on a profile it looks the same as after a reload, without its poster', async (visitor) => {
  const ada = await signUpPoster(service)
  const page = await openLive(visitor, `${service.url}/${ada.username}`)
  await ada.announce({ message: '✨ Saved searches', url: 'https://ada.example/' })
  await untilReads(() => outline(page), ['# Today', '✨ Saved searches'])
  const entry = page.locator('.entry')
  const arrived = await entry.innerHTML()
  expect(arrived).not.toContain(ada.name)
  await page.reload()
  expect(await entry.innerHTML()).toBe(arrived)
})

browserTest('a deployment between the list and the start of its stream is shown once', async (visitor) => {
  const ada = await signUpPoster(service)
  await ada.announce({ message: 'first' })
  await visitor.context.route(`${service.url}/`, async (route) => {
    const response = await route.fetch()
    const page = await response.text()
    await route.fulfill({ response, body: page.replace(/data-seen="\d+"/, 'data-seen="0"') })
  })
  const page = await openLive(visitor, `${service.url}/`)
  await ada.announce({ message: 'second' })
  await untilReads(() => outline(page), ['# Today', 'second', 'first'])
})

browserTest('the first deployment replaces the note of an empty list', async (visitor) => {
  const ada = await signUpPoster(service)
  const page = await openLive(visitor, `${service.url}/${ada.username}`)
  expect(await page.locator('.empty').isVisible()).toBe(true)
  await ada.announce({ message: 'first' })
  await untilReads(() => outline(page), ['# Today', 'first'])
  expect(await page.locator('.empty').count()).toBe(0)
})

browserTest(
  'a withdrawn deployment disappears from open pages, with its day if it was the only one',
  async (visitor) => {
    const ada = await signUpPoster(service)
    const first = (await (await ada.announce({ message: 'first' })).json()) as { id: number }
    const second = (await (await ada.announce({ message: 'second' })).json()) as { id: number }
    const pages = await Promise.all(
      ['/', `/${ada.username}`].map((path) => openLive(visitor, service.url + path)),
    )
    await ada.send(`/${ada.username}/${second.id}/delete`, {})
    for (const page of pages) await untilReads(() => outline(page), ['# Today', 'first'])
    await ada.send(`/${ada.username}/${first.id}/delete`, {})
    const left = 'Everything in this list was withdrawn. The next deployment will appear here.'
    for (const page of pages) {
      await untilReads(() => outline(page), [])
      await untilReads(() => page.locator('#deployments').innerText(), left)
    }
    await ada.announce({ message: 'third' })
    for (const page of pages) {
      await untilReads(() => outline(page), ['# Today', 'third'])
      expect(await page.locator('.empty').count()).toBe(0)
    }
  },
)

browserTest('ages stay current, and at midnight today becomes yesterday', async (visitor) => {
  const ada = await signUpPoster(service)
  await visitor.context.clock.install()
  const page = await openLive(visitor, `${service.url}/`)
  await ada.announce({ message: 'first' })
  const age = () => page.locator('.entry .age').first().textContent()
  await untilReads(age, 'just now')
  await page.clock.fastForward('02:10')
  await untilReads(age, '2 min ago')
  // Hardly more than a day: with more, late in the evening, the entry would be of the day before yesterday.
  await page.clock.fastForward('23:58:00')
  await untilReads(age, '1 d ago')
  await untilReads(() => outline(page), ['# Yesterday', 'first'])
})

browserTest('the server time of a page from the browser’s cache is ignored', async (visitor) => {
  const ada = await signUpPoster(service)
  await ada.announce({ message: 'first' })
  // Not Playwright's clock: with it, the page has no performance entry for the navigation.
  await visitor.context.addInitScript(`
    const now = Date.now
    Date.now = () => now() + Number(sessionStorage.ahead ?? 0)`)
  const page = await openLive(visitor, `${service.url}/`)
  await page.goto(`${service.url}/docs`)
  await page.evaluate('sessionStorage.ahead = 61 * 60 * 1000')
  await page.goBack()
  const age = () => page.locator('.entry .age').textContent()
  await untilReads(age, '1 h ago')
  await page.reload()
  await untilReads(age, 'just now')
})

browserTest(
  'ages on a page that a 304 confirmed follow the server’s clock, as they did before the reload',
  async (visitor) => {
    const ada = await signUpPoster(service)
    await ada.announce({ message: 'first' })
    await visitor.context.addInitScript(`
    const now = Date.now
    Date.now = () => now() + 61 * 60 * 1000`)
    const page = await openLive(visitor, `${service.url}/${ada.username}`)
    const age = () => page.locator('.entry .age').textContent()
    const isConfirmed = async () =>
      await page.evaluate<boolean>(`
      (({ transferSize, encodedBodySize }) => transferSize < encodedBodySize)(performance.getEntriesByType('navigation')[0])`)
    await untilReads(age, 'just now')
    // If "just now" ends in between, the page is another one, and only the next reload is confirmed.
    await eventually('the server confirms the page', async () => {
      await page.reload()
      return await isConfirmed()
    })
    expect(await age()).toMatch(/^(just now|1 min ago)$/)
  },
)

browserTest('htmx has processed every element with its attributes', async (visitor) => {
  const ada = await signUpPoster(service)
  for (let count = 0; count < 26; count++) await ada.announce({ message: `${count}` })
  for (const path of ['/', `/${ada.username}`]) {
    const page = await openLive(visitor, service.url + path)
    const served = (await page.evaluate(`
      [...document.querySelectorAll('*')]
        .filter((element) => element.getAttributeNames().some((name) => /^hx-(get|post|sse:connect)$/.test(name)))
        .map((element) => [element.id || element.className, element.dataset.htmxPowered])`)) as string[][]
    expect(served.map(([name]) => name)).toEqual(expect.arrayContaining(['arrivals', 'button']))
    expect(served.filter(([, powered]) => powered !== 'true')).toEqual([])
  }
})

for (const reducedMotion of ['no-preference', 'reduce'] as const) {
  browserTest(
    `an arrival is tinted for five seconds, with prefers-reduced-motion: ${reducedMotion}`,
    async (visitor) => {
      const ada = await signUpPoster(service)
      await ada.announce({ message: 'first' })
      const page = await openLive(visitor, service.url)
      expect(await page.locator('.arrived').count()).toBe(0)
      await ada.announce({ message: 'second' })
      await page.waitForSelector('.entry.arrived')
      const tints = `document.getAnimations().filter(({ animationName }) => animationName === 'tint')`
      const durations = `${tints}.map(({ effect }) => effect.getComputedTiming().endTime)`
      expect(await page.evaluate(durations)).toEqual([5_000])
      if (reducedMotion === 'reduce') expect(await page.evaluate('document.getAnimations().length')).toBe(1)
      await page.evaluate(`${tints}.forEach((tint) => tint.finish())`)
      await untilReads(() => page.locator('.arrived').count(), 0)
      expect(await page.locator('.entry').count()).toBe(2)
    },
    { reducedMotion },
  )
}

browserTest(
  'the strip of the last 24 hours counts what has arrived when the reader returns, and moves nothing',
  async (visitor) => {
    const ada = await signUpPoster(service)
    // With the second entry, a list gets its filters.
    for (const message of ['feat: earlier', 'feat: first']) await ada.announce({ message })
    const page = await openLive(visitor, `${service.url}/`)
    // The server counts at most every two seconds.
    const total = async () => Number(await page.locator('#pulse strong').textContent())
    const [before, place] = [await total(), await page.locator('#deployments').boundingBox()]
    await ada.announce({ message: 'feat: second' })
    await ada.announce({ message: 'feat: third' })
    expect(await total()).toBe(before)
    await untilReads(async () => {
      // As when the reader returns; otherwise it is read once a minute.
      await page.evaluate('document.dispatchEvent(new Event("visibilitychange"))')
      return (await total()) >= before + 2
    }, true)
    const said = await page.locator('#pulse svg').getAttribute('aria-label')
    expect(said).toStartWith(`${await total()} deployments`)
    expect((await page.locator('#deployments').boundingBox())?.y).toBe(place?.y ?? -1)
    expect(await page.locator('#pulse path').getAttribute('d')).toContain('v24h-3z')
  },
)
