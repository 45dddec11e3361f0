import { beforeEach, expect } from 'bun:test'
import type { Page } from 'playwright-core'
import {
  openLive,
  outline,
  setHidden,
  untilReads,
  untilState,
  waiting,
} from '../support/browser/live-page.ts'
import { browserTest } from '../support/browser/visitor.ts'
import { emptyDatabase } from '../support/database.ts'
import { signUpPoster } from '../support/people.ts'
import { useService } from '../support/service.ts'

const service = await useService()
beforeEach(() => emptyDatabase(service.db))

browserTest('the keyboard reaches everything in reading order, with a visible focus', async (visitor) => {
  const ada = await signUpPoster(service, { name: 'Ada Lovelace' })
  for (let count = 0; count < 25; count++) await ada.announce({ message: `${count}` })
  await ada.announce({ message: 'last', url: 'https://ada.example/engine' })
  const page = await openLive(visitor, service.url)
  await page.keyboard.press('Tab')
  expect((await focused(page)).name).toBe('Skip to content')
  await page.click('#pause')
  await ada.announce({ message: 'new' })
  await untilReads(() => waiting(page), '1 new deployment')
  await page.focus('.skip + .skip')

  const stops: string[] = []
  for (let count = 0; count < 21; count++) {
    await page.keyboard.press('Tab')
    const { name, isOutlined, isSeen } = await focused(page)
    expect({ name, isOutlined, isSeen }).toEqual({ name, isOutlined: true, isSeen: true })
    stops.push(name)
  }
  expect(stops).toEqual([
    ...['Shipfeed', 'Feed', 'Environments', 'Docs', 'Sign in', 'Create account', 'Resume'],
    ...['Announce yours', 'badge', 'Search deployments'],
    ...[
      'All',
      'Features',
      'Bug fixes',
      'Performance',
      'Styling',
      '1 new deployment',
      'Ada Lovelace',
      'ada.example',
      'Link to ada.example',
    ],
    ...['last', 'Ada Lovelace'],
  ])
})

browserTest('two key presses skip to the first entry', async (visitor) => {
  const ada = await signUpPoster(service)
  await ada.announce({ message: 'first', url: 'https://github.com/ada/engine/pull/1' })
  for (const path of ['/', `/${ada.username}`, `/${ada.username}/github.com/ada/engine`, '/?q=first']) {
    const page = await openLive(visitor, service.url + path)
    for (const key of ['Tab', 'Tab', 'Enter', 'Tab']) await page.keyboard.press(key)
    expect(await page.evaluate("document.activeElement.closest('.entry') !== null")).toBe(true)
    await page.close()
  }
})

browserTest('the name of a project is one word when copied and read out', async (visitor) => {
  const ada = await signUpPoster(service)
  await ada.announce({ message: 'first', url: 'https://github.com/ada/engine/pull/1' })
  const page = await openLive(visitor, `${service.url}/${ada.username}`)
  const browser = await visitor.context.newCDPSession(page)
  const { nodes } = await browser.send('Accessibility.getFullAXTree')
  const links = nodes.filter(({ role }) => role?.value === 'link').map(({ name }) => name?.value)
  expect(links.filter((name) => name === 'ada/engine')).toHaveLength(2)
  for (const selector of ['.project', '.targets a']) {
    expect(
      await page.evaluate(`
      getSelection().selectAllChildren(document.querySelector('${selector}')), String(getSelection())`),
    ).toBe('ada/engine')
  }
})

browserTest('withdrawing a deployment can be cancelled', async (visitor) => {
  const ada = await signUpPoster(service)
  const id = await ada.announced({ message: 'first' })
  const [name = '', value = ''] = ada.cookie.split('=')
  await visitor.context.addCookies([{ name, value, url: service.url }])
  const page = await visitor.open(`${service.url}/${ada.username}/${id}`)
  await page.click('text=Withdraw…')
  expect(await page.isVisible('text=Withdraw for good')).toBe(true)
  await page.click('text=Cancel')
  expect(await page.isVisible('text=Withdraw for good')).toBe(false)
})

browserTest('Pause, the button for new deployments and Resume work by keyboard', async (visitor) => {
  const ada = await signUpPoster(service)
  for (const message of ['earlier', 'before']) await ada.announce({ message })
  const page = await openLive(visitor, service.url)
  await page.focus('#pause')
  await page.keyboard.press('Enter')
  await untilState(page, 'Paused')
  await ada.announce({ message: 'one' })
  await untilReads(() => waiting(page), '1 new deployment')
  expect((await focused(page)).name).toBe('Resume')
  await page.focus('#waiting')
  await page.keyboard.press('Space')
  expect(await outline(page)).toEqual(['# Today', 'one', 'before', 'earlier'])
  expect(await page.evaluate("document.activeElement.closest('.entry') !== null")).toBe(true)
  await page.focus('#pause')
  await page.keyboard.press('Space')
  await untilState(page, 'Live')
})

browserTest('arrivals wait while the focus is in the list, and leave it there', async (visitor) => {
  const ada = await signUpPoster(service)
  for (const message of ['before', 'one']) await ada.announce({ message })
  const page = await openLive(visitor, service.url)
  await page.focus('.entry .subject a')
  await ada.announce({ message: 'two' })
  await untilReads(() => waiting(page), '1 new deployment')
  expect(await outline(page)).toEqual(['# Today', 'one', 'before'])
  expect(
    await page.evaluate("document.activeElement.closest('.entry').querySelector('.subject').textContent"),
  ).toBe('one')
  await page.focus('#pause')
  await untilReads(() => outline(page), ['# Today', 'two', 'one', 'before'])
})

browserTest(
  'a screen reader announces lasting changes of state and waiting deployments, and nothing else',
  async (visitor) => {
    const ada = await signUpPoster(service)
    const page = await openLive(visitor, service.url)
    await page.evaluate(`
    said = []
    for (const region of document.querySelectorAll('[role="status"], [aria-live]')) {
      new MutationObserver(() => said.push(region.textContent.trim()))
        .observe(region, { childList: true, characterData: true, subtree: true })
    }`)
    await ada.announce({ message: 'one' })
    await ada.announce({ message: 'two' })
    await untilReads(async () => (await outline(page)).length, 3)
    expect(await page.evaluate('said')).toEqual([])
    const streams = await countStreams(page)
    await setHidden(page, true)
    await setHidden(page, false)
    await untilReads(streams, 1)
    // A loss is said only if it lasts.
    expect(await page.evaluate('said')).toEqual([])

    await page.click('#pause')
    await ada.announce({ message: 'three' })
    await untilReads(() => waiting(page), '1 new deployment')
    expect(await page.evaluate('said')).toEqual(['Paused', '1 new deployment'])
  },
)

/** Returns a function that counts the streams that a page opens from now on. */
async function countStreams(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(`
    opened = 0
    document.querySelector('#arrivals').addEventListener('htmx:sse:after:connection', () => opened++)`)
  return () => page.evaluate('opened')
}

async function focused(page: Page): Promise<{ name: string; isOutlined: boolean; isSeen: boolean }> {
  return await page.evaluate(`(() => {
    const element = document.activeElement
    const { top, bottom } = element.getBoundingClientRect()
    const { outlineStyle, outlineWidth } = getComputedStyle(element)
    return {
      name: (element.labels?.[0] ?? element).textContent.trim().replaceAll(/\\s+/g, ' '),
      isOutlined: outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2,
      isSeen: bottom > top && top >= 0 && bottom <= innerHeight,
    }
  })()`)
}
