import { expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { openLive, untilReads } from '../support/browser/live-page.ts'
import { browserTest } from '../support/browser/visitor.ts'
import { type Poster, password, signUpPoster } from '../support/people.ts'
import { useService } from '../support/service.ts'

const service = await useService()

/** The status that each badge of a page shows, by the image that was loaded for it. */
async function badges(page: Page): Promise<(string | undefined)[]> {
  const addresses: string[] = await page.evaluate(
    '[...document.querySelectorAll(\'img[src^="/badge/"]\')].map(({ currentSrc, complete }) => complete && currentSrc)',
  )
  return addresses.map((address) => shown.get(address))
}

/** The status that an image shows, by the address that it was loaded from. */
const shown = new Map<string, string>()

function remember(page: Page): void {
  page.on('response', async (response) => {
    if (!response.url().includes('/badge/')) return
    // The next refresh may cancel an image that is still loading.
    const [, status = ''] = /deployed: (\w+)/.exec(await response.text().catch(() => '')) ?? []
    shown.set(response.url(), status)
  })
}

const numbers = async (page: Page) => {
  const [numbers] = await page.locator('.statistics dd').allTextContents()
  return numbers
}

browserTest('the badges, numbers, year and projects of an open profile follow its list', async (visitor) => {
  const ada = await signUpPoster(service)
  visitor.context.on('page', remember)
  const page = await openLive(visitor, `${service.url}/${ada.username}?year=list`)
  await untilReads(() => badges(page), Array<string>(3).fill('Inactive'))
  expect(await page.locator('#year').count()).toBe(0)

  const url = 'https://github.com/ada/engine/pull/1'
  const id = await ada.announced({ message: 'first', url })
  await untilReads(() => badges(page), Array<string>(3).fill('Fresh'))
  await untilReads(() => numbers(page), '1')
  expect(await page.locator('.targets a').allTextContents()).toEqual(['ada/engine'])
  expect(await page.locator('.days a').last().textContent()).toEndWith(': 1 deployment')

  // What the reader opened and chose stays.
  await page.click('#embed label[for=badge-style-dot]')
  await untilReads(
    async () => (await page.locator('#embed code').first().textContent())?.includes('style=dot'),
    true,
  )
  await page.locator('.days [tabindex="0"]').focus()
  await page.keyboard.press('ArrowUp')
  await ada.announce({ message: 'second' })
  await untilReads(() => numbers(page), '2')
  expect(await page.locator('.by-month dd').textContent()).toEndWith(': 2')
  expect(await page.locator('#embed code').first().textContent()).toContain('style=dot')
  expect(await page.evaluate("document.activeElement.matches('.days > :nth-last-child(2)')")).toBe(
    await page.evaluate("document.querySelector('.year g:last-of-type').childElementCount > 1"),
  )

  await ada.send(`/${ada.username}/${id}/delete`, {})
  await untilReads(() => numbers(page), '1')
  expect(await page.locator('.targets a').count()).toBe(0)
})

browserTest(
  'an open project page says when no deployments are left, and shows the next one',
  async (visitor) => {
    const ada = await signUpPoster(service)
    const url = 'https://github.com/ada/engine/pull/1'
    const id = await ada.announced({ message: 'first', url })
    const page = await openLive(visitor, `${service.url}/${ada.username}/github.com/ada/engine`)
    expect(await numbers(page)).toBe('1')
    await ada.send(`/${ada.username}/${id}/delete`, {})
    const overview = page.locator('#overview')
    await untilReads(() => overview.textContent(), 'There are no deployments here any more.')
    await ada.announce({ message: 'second', url })
    await untilReads(() => numbers(page), '1')
    expect(await overview.textContent()).not.toContain('is left')
  },
  { expected: [/404/] },
)

const engine = 'https://github.com/ada/engine/pull/1'

const release = (poster: Poster, environment: string, version: string) =>
  poster.announced({ message: `Release ${version}`, url: engine, environment, version })

const cells = async (page: Page) =>
  (await page.locator('.live-where td').allTextContents()).map((cell) => cell.match(/v\d|nothing/)?.[0])

browserTest('the environments of a user and their wallboard follow what happens', async (visitor) => {
  const ada = await signUpPoster(service)
  const page = await openLive(visitor, `${service.url}/${ada.username}/-/environments`)
  const wall = await visitor.open(`${service.url}/wall?view=environments&user=${ada.username}`)
  await untilReads(() => wall.locator('#wall-state').textContent(), 'Live')
  expect(await page.locator('#overview .empty').isVisible()).toBe(true)

  await release(ada, 'production', 'v1')
  const last = await release(ada, 'staging', 'v2')
  for (const shown of [page, wall]) await untilReads(() => cells(shown), ['v2', 'v1'])
  expect(await page.locator('.ahead-of').textContent()).toBe('1 ahead of production')
  expect(await page.locator('#arrivals > *').count()).toBe(0)

  await ada.send(`/${ada.username}/${last}/delete`, {})
  for (const shown of [page, wall]) await untilReads(() => cells(shown), ['v1'])
})

browserTest('the environments of everyone and their wallboard follow what happens', async (visitor) => {
  const [ada, grace] = [await signUpPoster(service), await signUpPoster(service)]
  const page = await openLive(visitor, `${service.url}/environments?env=nightly`)
  const wall = await visitor.open(`${service.url}/wall?view=environments&env=nightly`)
  await untilReads(() => wall.locator('#wall-state').textContent(), 'Live')
  await release(ada, 'nightly', 'v1')
  const last = await release(grace, 'nightly', 'v2')
  for (const shown of [page, wall]) await untilReads(() => cells(shown), ['v2', 'v1'])
  await grace.send(`/${grace.username}/${last}/delete`, {})
  for (const shown of [page, wall]) await untilReads(() => cells(shown), ['v1'])
  await ada.send('/settings/delete', { username: ada.username, password })
  for (const shown of [page, wall]) await untilReads(() => cells(shown), [])
})

browserTest('what is ahead opens from the environments, and stays open in its row', async (visitor) => {
  const ada = await signUpPoster(service)
  for (const [environment, version] of [
    ['production', 'v1'],
    ['staging', 'v2'],
  ] as const)
    await release(ada, environment, version)
  const page = await openLive(visitor, `${service.url}/${ada.username}/-/environments`)
  await page.click('.ahead-of')
  await page.waitForURL('**/github.com/ada/engine#ahead-in-staging')
  await untilReads(() => page.locator('#live-state').textContent(), 'Live')
  const opened = () => page.locator('#environments .ahead[open] > summary').allTextContents()
  await untilReads(opened, ['1 ahead of production'])

  // A row above it gets something ahead, too, and then loses it.
  await release(ada, 'qa', 'v3')
  await untilReads(() => page.locator('#environments .ahead').count(), 2)
  expect(await opened()).toEqual(['1 ahead of production'])
  await release(ada, 'staging', 'v3')
  await untilReads(opened, ['2 ahead of production'])
})
