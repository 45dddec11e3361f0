import { beforeEach, expect } from 'bun:test'
import { untilReads } from '../../support/browser/live-page.ts'
import { browserTest } from '../../support/browser/visitor.ts'
import { emptyDatabase } from '../../support/database.ts'
import type { Poster } from '../../support/people.ts'
import { signUpPoster } from '../../support/people.ts'
import { useService } from '../../support/service.ts'

const service = await useService()
let ada: Poster
beforeEach(async () => {
  await emptyDatabase(service.db)
  ada = await signUpPoster(service, { name: 'Ada Lovelace' })
})

const long = `fix(${'scope-'.repeat(9)}): ${'everything at once and a_name_without_any_end_'.repeat(8)}`

/** Shows this number of deployments for today and for yesterday, next to six projects. */
function countedDay(today: string): string {
  return `
    document.querySelector('#wall-count').textContent = '${today}'
    document.querySelector('#wall-yesterday').textContent = '${today} by this time yesterday'
    const projects = document.querySelector('.wall-projects ul')
    while (projects.childElementCount < 6) projects.append(projects.firstElementChild.cloneNode(true))`
}

/** What reaches beyond the window or into its lower margin, and the size of the page. */
const cutOff = `
  const margin = parseFloat(getComputedStyle(document.querySelector('#wall')).paddingBlockEnd)
  const shown = '.wall-head > *, #latest .entry, #latest .subject, #wall-numbers *, .wall-projects h2, .wall-projects li'
  const outside = [...document.querySelectorAll(shown)]
    .filter((element) => {
      const { right, bottom } = element.getBoundingClientRect()
      return right > innerWidth + 1 || bottom > innerHeight - margin + 1
    })
    .map((element) => element.outerHTML.slice(0, 60))
  const { scrollWidth, scrollHeight } = document.documentElement
  return { outside, size: [scrollWidth, scrollHeight] }`

/** Most screens are 16:9 or 16:10; the last row has other shapes. */
const windows = [
  ...['1280x720', '1366x768', '1600x900', '1920x1080', '2560x1440', '3840x2160'],
  ...['1280x800', '1440x900', '1680x1050', '1920x1200', '2560x1600', '2880x1800'],
  ...['1024x600', '3440x1440', '1000x1000', '1280x1024', '1080x1920', '768x1024'],
]

browserTest(
  'a wallboard never has a scroll bar and cuts nothing off, however busy the day',
  async (visitor) => {
    for (let n = 0; n < 7; n += 1)
      await ada.announced({ message: long, url: 'https://github.com/ada/engine/pull/1' })
    const page = await visitor.open(`${service.url}/wall`)
    await untilReads(() => page.locator('#wall-state').textContent(), 'Live')
    for (const window of windows) {
      const [width = 0, height = 0] = window.split('x').map(Number)
      await page.setViewportSize({ width, height })
      for (const today of ['0', '9', '99', '4,000']) {
        const seen = await page.evaluate(`(() => { ${countedDay(today)}; ${cutOff} })()`)
        expect([window, today, seen]).toEqual([window, today, { outside: [], size: [width, height] }])
      }
    }
  },
)

browserTest('a wallboard of environments cuts no row off and never scrolls', async (visitor) => {
  for (let n = 0; n < 12; n += 1) {
    for (const environment of ['staging', 'production', ...(n === 11 ? 'abcdefg' : '')]) {
      const project = `https://github.com/ada/project-${n}/pull/1`
      await ada.announce({ message: 'x', url: project, environment, version: `v${n}` })
    }
  }
  const page = await visitor.open(`${service.url}/wall?view=environments&user=${ada.username}`)
  for (const size of windows) {
    const [width = 0, height = 0] = size.split('x').map(Number)
    await page.setViewportSize({ width, height })
    const [cut, sideways, shown] = (await page.evaluate(`
      const { bottom, right } = document.querySelector('.wall-environments').getBoundingClientRect()
      const rows = [...document.querySelectorAll('.live-where tbody tr')]
        .map((row) => row.getBoundingClientRect()).filter(({ left }) => left < right);
      [
        rows.filter((row) => row.bottom > bottom + 1).length,
        document.documentElement.scrollWidth - innerWidth,
        rows.length,
      ]`)) as number[]
    expect([size, cut, sideways]).toEqual([size, 0, 0])
    expect(shown).toBeGreaterThan(5)
  }
})

browserTest(
  'a wallboard of environments fills its window, the fewer rows with the larger letters',
  async (visitor) => {
    const release = async (project: number) => {
      for (const environment of ['staging', 'production'])
        await ada.announce({
          ...{ message: 'x', environment, version: '2026.11.4' },
          url: `https://github.com/ada/project-${project}/pull/1`,
        })
    }
    await release(0)
    const page = await visitor.open(`${service.url}/wall?view=environments`)
    /** How far the rows end from the end of the window, how many versions are cut, and the size of their letters. */
    const seen = async () =>
      (await page.evaluate(`
      const section = document.querySelector('.wall-environments').getBoundingClientRect()
      const rows = [...document.querySelectorAll('.live-where tbody tr')].map((row) => row.getBoundingClientRect())
      const shown = rows.filter(({ left }) => left < section.right)
      const versions = [...document.querySelectorAll('.live-where .release-name')];
      [
        Math.round(section.bottom - shown.at(-1).bottom),
        versions.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).length,
        parseFloat(getComputedStyle(versions[0]).fontSize),
      ]`)) as [number, number, number]
    const screens = ['1280x720', '1920x1080', '1920x1200', '1080x1920']
    const sizes = new Map<string, number>()
    for (const screen of screens) {
      const [width = 0, height = 0] = screen.split('x').map(Number)
      await page.setViewportSize({ width, height })
      const [below, cut, size] = await seen()
      expect([screen, below, cut]).toEqual([screen, 0, 0])
      sizes.set(screen, size)
    }
    for (let n = 1; n < 8; n += 1) await release(n)
    await untilReads(() => page.locator('.live-where tbody tr').count(), 8)
    for (const screen of screens) {
      const [width = 0, height = 0] = screen.split('x').map(Number)
      await page.setViewportSize({ width, height })
      const [below, cut, size] = await seen()
      expect([screen, below, cut]).toEqual([screen, 0, 0])
      expect((sizes.get(screen) ?? 0) / size).toBeGreaterThanOrEqual(width > height ? 1.5 : 1)
    }
  },
)

browserTest('a wallboard without deployments, says so where the latest one will be', async (visitor) => {
  const page = await visitor.open(`${service.url}/wall?user=${ada.username}`)
  for (const [width, height] of [
    [1280, 720],
    [1920, 1200],
    [768, 1024],
  ] as const) {
    await page.setViewportSize({ width, height })
    const sentence = await page.locator('.wall-empty').boundingBox()
    expect(sentence?.y ?? height).toBeLessThan(height / 6)
  }
  expect(await page.locator('.wall-projects h2').isVisible()).toBe(false)
})

browserTest('a wallboard can be read on a phone, where it only scrolls down', async (visitor) => {
  for (let n = 0; n < 7; n += 1)
    await ada.announced({ message: long, url: 'https://github.com/ada/engine/pull/1' })
  const page = await visitor.open(`${service.url}/wall`)
  for (const width of [320, 390, 568]) {
    await page.setViewportSize({ width, height: 568 })
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
    const sizes = await page.evaluate<number[]>(
      "[...document.querySelectorAll('.meta, .subject, .wall-projects li')].map((e) => parseFloat(getComputedStyle(e).fontSize))",
    )
    expect(Math.min(...sizes)).toBeGreaterThanOrEqual(13)
  }
})
