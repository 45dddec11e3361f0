import { beforeAll, expect } from 'bun:test'
import { keys, untilIn } from '../support/browser/engine.ts'
import { states } from '../support/browser/every-state.ts'
import { settle } from '../support/browser/made-states.ts'
import { otherEngines } from '../support/browser/other-engines.ts'
import { needing } from '../support/needs/needs.ts'
import { password } from '../support/people.ts'
import { useService } from '../support/service.ts'

/** What a reader who sees badly sets in the browser. */
const minFontSize = 22

const service = await useService({ WEBHOOKS: 'any' })
beforeAll(() => settle(service))

const paths = states.filter((state) => !('act' in state || 'asked' in state)).map(({ path }) => path)

const look = `({
  isTooWide: document.documentElement.scrollWidth > document.documentElement.clientWidth,
  areAvatarsSquare: [...document.querySelectorAll('.avatar')].every((one) => one.offsetWidth === one.offsetHeight),
  areLettersCut: [...document.querySelectorAll('.avatar')].some((one) => one.scrollWidth > one.clientWidth + 1),
})`
const fits = { isTooWide: false, areAvatarsSquare: true, areLettersCut: false }

for (const { name, needs, start } of otherEngines) {
  needing(...needs).test(`in ${name}, every page fits a phone where no letter is small`, async () => {
    const engine = await start(minFontSize)
    try {
      await engine.resize(390)
      await engine.open(`${service.url}/sign-in`)
      for (const [field, text] of Object.entries({ username: 'ada', password })) {
        await engine.read(`document.querySelector('[name=${field}]').focus()`)
        await engine.type(text)
      }
      await engine.type(keys.enter)
      await untilIn(engine, 'location.pathname + document.readyState', '/settingscomplete')
      await engine.open(`${service.url}/ada`)
      const permanent = await engine.read<string>(
        "document.querySelector('.entry .subject a').getAttribute('href')",
      )
      for (const path of [permanent, ...new Set(paths)]) {
        await engine.open(service.url + path)
        const seen = await engine.read<object>(look)
        expect([path, seen]).toEqual([path, fits])
      }
    } finally {
      await engine.close()
    }
  })
}
