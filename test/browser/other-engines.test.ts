import { afterAll, beforeAll, expect, test } from 'bun:test'
import { utcDayOf, weekdayOf } from '../../src/domain/time.ts'
import { type Engine, keys, untilIn } from '../support/browser/engine.ts'
import { states } from '../support/browser/every-state.ts'
import { settle } from '../support/browser/made-states.ts'
import { otherEngines } from '../support/browser/other-engines.ts'
import { passMidnight } from '../support/eventually.ts'
import { needing } from '../support/needs/needs.ts'
import { type Poster, password, signUpPoster } from '../support/people.ts'
import { type Service, sharedDatabase, startService } from '../support/service.ts'

const db = await sharedDatabase()
let service: Service = await startService({}, db)
const port = Number(new URL(service.url).port)
let poster: Poster
beforeAll(async () => {
  await passMidnight(60_000)
  await settle(service)
  poster = await signUpPoster(service)
  await poster.announced({ message: 'feat: a cache', url: 'https://github.com/ada/cache/pull/1' })
})
afterAll(() => service.close())

/** Pages that show all without a click, to anybody. */
/** Without a frame of another site, which has no scripts. */
const plain = states.filter(
  (state) => !('who' in state || 'act' in state || 'asked' in state || state.path.includes('embed=1')),
)

const state = "document.querySelector('#live-state, #wall-state').textContent"
const newest = "document.querySelector('.entry .subject').textContent.trim()"

/** How long the tint of an arrival takes to fade: without a GPU, the browser's process draws each frame of it. */
const fadeMs = `Math.max(0, ...document.getAnimations()
  .filter(({ animationName }) => animationName === 'tint')
  .map(({ effect }) => effect.getTiming().duration))`

/** Whether the page's policy let its scripts and its style work, and whether the page is wider than the window. */
const isScripted = "document.querySelector('body > [role=status]') !== null"
const look = `({
  isStyled: getComputedStyle(document.body).marginTop === '0px',
  isTooWide: document.documentElement.scrollWidth > document.documentElement.clientWidth,
})`

/** What a colour of the year means. At the edge of a day, browsers mix it with the ground. */
function heatOf(colour: number): 'busy' | 'quiet' | 'ground' {
  const red = colour >> 16
  if (red < 0x40) return 'busy'
  return red < 0xee ? 'quiet' : 'ground'
}

for (const { name, needs, start } of otherEngines) {
  needing(...needs).describe(`in ${name}`, () => {
    let engine: Engine
    beforeAll(async () => {
      engine = await start()
    })
    afterAll(() => engine?.close())

    const visit = (path: string) => engine.open(service.url + path)
    const until = (expression: string, value: unknown) => untilIn(engine, expression, value)
    const untilAt = (path: string) => until('location.pathname + document.readyState', `${path}complete`)
    const focus = (selector: string) =>
      engine.read(`document.querySelector('${selector}').focus({ focusVisible: true })`)

    test('every page has its style and scripts, and fits a narrow window', async () => {
      await engine.resize(375)
      for (const { name, path } of plain) {
        await visit(path)
        await until(isScripted, true)
        const seen = await engine.read<object>(look)
        expect([name, seen]).toEqual([name, { isStyled: true, isTooWide: false }])
      }
    })

    test('a feed takes arrivals, also after its server was restarted', async () => {
      await engine.resize(1280)
      await visit('/')
      await until(state, 'Live')
      await poster.announced({ message: 'arrives' })
      await until(newest, 'arrives')
      expect(await engine.read<number>(fadeMs)).toBeLessThanOrEqual(1_000)
      await service.close()
      await until(state, 'Reconnecting')
      service = await startService({}, db, port)
      await poster.announced({ message: 'was missed' })
      await until(newest, 'was missed')
      await until(state, 'Live')
    })

    test('a page that is left does not say that it reconnects', async () => {
      await visit('/')
      await until(state, 'Live')
      await engine.read(`(() => {
        addEventListener('pagehide', () => sessionStorage.setItem('state', ${state}))
        location.href = '/docs'
      })()`)
      await untilAt('/docs')
      expect(await engine.read("sessionStorage.getItem('state')")).toBe('Live')
    })

    test('a search finds as one types', async () => {
      await visit('/')
      await focus('.search input')
      await engine.type('cache')
      await until(newest, 'feat: a cache')
      await until('location.search', '?q=cache')
    })

    test('somebody signs up, generates a token and signs out, and Back does not show the settings', async () => {
      await visit('/sign-up')
      for (const [field, text] of Object.entries({ username: `in-${name}`, name, password })) {
        await focus(`[name=${field}]`)
        await engine.type(text)
      }
      await engine.type(keys.enter)
      await untilAt('/settings')
      await engine.read('document.querySelector(\'[action$="/settings/token"] button\').click()')
      await until("document.querySelector('#new-token')?.value.length", 41)
      await engine.read('document.querySelector(\'[action$="/sign-out"] button\').click()')
      await untilAt('/')
      await engine.goBack()
      await untilAt('/sign-in')
    })

    test('the year shows each day at any size', async () => {
      const today = utcDayOf(new Date())
      const first = weekdayOf(today - 364)
      for (const width of [355, 717, 900]) {
        await visit('/docs')
        await engine.read(`new Promise((resolve) => {
          document.body.innerHTML = '<img style="position:absolute;top:0;left:0">'
          document.body.firstChild.width = ${width}
          document.body.firstChild.onload = () => requestAnimationFrame(() => setTimeout(resolve, 100))
          document.body.firstChild.src = '/${poster.username}/year.svg?theme=light'
        })`)
        const picture = await engine.picture()
        const scale = width / 717
        /** The colour in the middle of a day, or `left` of it. */
        const at = (n: number, left = 0) => {
          const [x, y] = [28 + Math.floor(n / 7) * 13 + 5.5 - left, 18 + (n % 7) * 13 + 5.5]
          return heatOf(picture.at(Math.floor(x * scale), Math.floor(y * scale)))
        }
        const days = Array.from({ length: 365 }, (_, n) => n + first)
        expect([width, days.map((n) => at(n))]).toEqual([width, [...Array(364).fill('quiet'), 'busy']])
        const isApart = (n: number) => [5.5, 6.5, 7.5].some((left) => at(n, left) === 'ground')
        expect([width, days.slice(0, -1).filter((n) => !isApart(n))]).toEqual([width, []])
      }
    })

    test('the days before the first deployment are outlines', async () => {
      await engine.resize(1280)
      await visit(`/${poster.username}`)
      await until("document.querySelector('.days > a') !== null", true)
      const [x = 0, y = 0] = await engine.read<number[]>(`(() => {
        const { left, top, width } = document.querySelector('.days rect').getBoundingClientRect()
        return [left + width / 2, top + width / 2].map(Math.floor)
      })()`)
      const picture = await engine.picture()
      const across = Array.from({ length: 11 }, (_, n) => picture.at(x + n, y))
      expect([across[0], Math.min(...across) < (across[0] ?? 0)]).toEqual([0xffffff, true])
    })

    test('the choices of a badge stand on the line of their name', async () => {
      await visit(`/${poster.username}/badge`)
      const lines = await engine.read<number[]>(`
        [...document.querySelectorAll('.pickers fieldset, .snippet-tabs')].map((group) => {
          const [name, choice] = [group.firstElementChild, group.querySelector('label')]
          return Math.abs(name.getBoundingClientRect().top - choice.getBoundingClientRect().top)
        })`)
      expect(lines.length).toBe(3)
      expect(Math.max(...lines)).toBeLessThan(8)
    })

    test('a ring around the focus is not cut off', async () => {
      const id = await poster.announced({ message: 'feat: `x`\n\nhttps://ada.dev', url: 'https://ada.dev/1' })
      await visit(`/${poster.username}/${id}`)
      for (const selector of ['.who-to a', '.prose a']) {
        const before = await engine.picture()
        await focus(selector)
        const [x = 0, y = 0] = await engine.read<number[]>(`(() => {
          const { left, top, width } = document.activeElement.getBoundingClientRect()
          return [left + width / 2, top - 3].map(Math.floor)
        })()`)
        const after = await engine.picture()
        expect([selector, after.at(x, y)]).not.toEqual([selector, before.at(x, y)])
        await engine.read('document.activeElement.blur()')
      }
    })

    test('a browser with many wallboards still loads other pages', async () => {
      for (let n = 0; n < 10; n += 1) {
        await engine.openTab()
        await visit('/wall')
      }
      await engine.openTab()
      await visit('/docs')
      expect(await engine.read('location.pathname')).toBe('/docs')
    })
  })
}
