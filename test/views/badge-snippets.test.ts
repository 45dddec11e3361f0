import { describe, expect, test } from 'bun:test'
import { defaultChoice } from '../../src/badge/badge.ts'
import { type BadgeFormat, badgeAddress, badgeSnippet } from '../../src/views/badge/snippets.ts'

const standard = { ...defaultChoice, username: 'ada', target: null }
const chosen = { ...standard, style: 'square', target: 'github.com/ada/engine' } as const
const own = { ...standard, show: 'age', label: 'eu west_1' } as const

const image = 'https://ship.example/badge/ada.svg'
const chosenImage = `${image}?style=square&url=github.com/ada/engine`
const ownImage = `${image}?show=age&label=eu+west%5F1`
const chosenPage = 'https://ship.example/ada/github.com/ada/engine'

describe('a badge to paste', () => {
  test.each([
    ['markdown', standard, `[![Last deployment](${image})](https://ship.example/ada)`],
    ['html', standard, `<img src="${image}" alt="Last deployment" height="20">`],
    ['rst', standard, `.. image:: ${image}\n   :target: https://ship.example/ada\n   :alt: Last deployment`],
    ['asciidoc', standard, `image:${image}[Last deployment,link=https://ship.example/ada]`],
    ['markdown', chosen, `[![Last deployment](${chosenImage})](${chosenPage})`],
    ['html', chosen, `<img src="${chosenImage.replace('&', '&amp;')}" alt="Last deployment" height="20">`],
    ['rst', chosen, `.. image:: ${chosenImage}\n   :target: ${chosenPage}\n   :alt: Last deployment`],
    ['markdown', own, `[![Last deployment: eu west_1](${ownImage})](https://ship.example/ada)`],
    ['asciidoc', chosen, `image:${chosenImage}[Last deployment,link=${chosenPage}]`],
  ] as const)('as %s', (format: BadgeFormat, choice, snippet) => {
    expect(badgeSnippet(format, 'https://ship.example', choice)).toBe(snippet)
  })

  test('contains no character of the target that one of the languages interprets', () => {
    const target = 'a.example/_x_/*y*/(z)[w]"<&>`'
    const address = badgeAddress({ ...standard, target })
    expect(address).not.toMatch(/[_*()[\]"<>`]/)
    expect(new URL(address, 'https://ship.example').searchParams.get('url')).toBe(target)
  })
})
