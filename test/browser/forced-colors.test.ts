import { expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { browserTest } from '../support/browser/visitor.ts'
import { signUpPoster } from '../support/people.ts'
import { useService } from '../support/service.ts'

const service = await useService()

browserTest(
  'with forced colours, choices stand out and dots are visible',
  async (visitor) => {
    const ada = await signUpPoster(service)
    await ada.announce({ message: 'feat: one', url: 'https://ada.example/' })
    const page = await visitor.open(`${service.url}/${ada.username}?category=feature`)
    for (const [chosen, other] of [
      ['.pill[aria-current]', '.pill:not([aria-current])'],
      [':checked + .snippet-tab', ':not(:checked) + .snippet-tab'],
      ['.pickers :checked + label', '.pickers :not(:checked) + label'],
    ] as const) {
      const [one, two] = [await look(page, chosen), await look(page, other)]
      expect([chosen, one]).not.toEqual([chosen, two])
    }
    const ground = await page.evaluate('getComputedStyle(document.body).backgroundColor')
    for (const dot of ['.dot', '.live-state::before']) {
      expect([dot, (await look(page, dot))[0]]).not.toEqual([dot, ground])
    }
  },
  { forcedColors: 'active' },
)

/** The background and the outline of the first element that a selector finds, or of its pseudo-element. */
async function look(page: Page, selector: string): Promise<unknown[]> {
  const [element = '', pseudo] = selector.split(/(?=::)/)
  return await page.evaluate(`(() => {
    const style = getComputedStyle(document.querySelector('${element}'), ${JSON.stringify(pseudo ?? null)})
    return [style.backgroundColor, style.outlineStyle, style.outlineWidth]
  })()`)
}
