import { describe, expect, test } from 'bun:test'
import { elementsOf, textOf } from '../../support/markup.ts'
import { signUpPoster } from '../../support/people.ts'
import { useService } from '../../support/service.ts'

const service = await useService()
const ada = await signUpPoster(service, { name: 'Ada <b>' })
for (const url of ['https://github.com/ada/engine/pull/1', 'https://app.example.com/log'])
  expect((await ada.announce({ message: 'x', url })).status).toBe(201)

async function read(query: string) {
  const response = await service.fetch(`/${ada.username}/badge${query}`)
  expect(response.status).toBe(200)
  const page = await response.text()
  const elements = elementsOf(page)
  const pictures = elements.filter(({ name }) => name === 'img').map(({ attributes }) => attributes.src ?? '')
  return {
    page,
    badges: pictures.filter((address) => address.startsWith('/badge/')),
    years: pictures.filter((address) => address.includes('/year.svg')),
    chosen: elements
      .filter(
        ({ attributes }) =>
          attributes.type === 'radio' && attributes.name !== 'format' && 'checked' in attributes,
      )
      .map(({ attributes }) => attributes.value),
    targets: elements.filter(({ name }) => name === 'option').map(({ attributes }) => attributes.value),
    target: elements.find(({ attributes }) => 'selected' in attributes)?.attributes.value,
  }
}

describe('GET /<username>/badge', () => {
  test('shows the badge as it is now, with its age, and offers the targets of the user', async () => {
    const { page, badges, chosen, targets, target } = await read('')
    expect(badges).toEqual([`/badge/${ada.username}.svg?show=age`])
    expect(chosen).toEqual(['standard', 'age'])
    expect(targets).toEqual(['', 'app.example.com/log', 'github.com/ada/engine'])
    expect(target).toBeUndefined()
    expect(textOf(page, 'h1')).toBe('Ada <b>')
  })

  test('keeps the choice, in the badges and in what is to be copied', async () => {
    const query = '?style=dot&show=state&label=eu%20west&target=github.com/ada/engine'
    const { page, badges, chosen, target } = await read(query)
    expect(chosen).toEqual(['dot', 'state'])
    expect(target).toBe('github.com/ada/engine')
    for (const badge of badges) {
      expect(badge).toContain('url=github.com/ada/engine')
      expect((await service.fetch(badge)).headers.get('content-type')).toStartWith('image/svg+xml')
    }
    const snippets = textOf(page, 'pre code')
    const shown = `http://shipfeed.test/badge/${ada.username}.svg?style=dot&label=eu+west&url=github.com/ada/engine`
    expect(snippets.split(shown)).toHaveLength(4)
    expect(snippets.split(shown.replaceAll('&', '&amp;'))).toHaveLength(2)
  })

  test('offers the year, of everything or of a target, to copy', async () => {
    for (const [query, target] of [
      ['', ''],
      ['?target=github.com/ada/engine', '/github.com/ada/engine'],
    ] as const) {
      const { page, years } = await read(query)
      const address = `/${ada.username}${target}/year.svg`
      expect(years).toEqual([`${address}?theme=light`])
      const snippet = textOf(page, '#year-snippet')
      for (const part of [
        `<a href="http://shipfeed.test/${ada.username}${target}">`,
        `<source media="(prefers-color-scheme: dark)" srcset="http://shipfeed.test${address}?theme=dark">`,
        `<img src="http://shipfeed.test${address}?theme=light" alt="Deployments in the last year">`,
      ]) {
        expect(snippet).toContain(part)
      }
    }
  })

  test('also offers a target that nothing was deployed to yet', async () => {
    const { targets, target } = await read('?target=https://New.Example/')
    expect([targets[1], target]).toEqual(['new.example', 'new.example'])
  })

  test('takes what is unknown as usual, and refuses what is no target', async () => {
    expect((await read('?style=round&show=x&label=%3Cb%3E')).chosen).toEqual(['standard', 'state'])
    expect((await service.fetch(`/${ada.username}/badge?target=%00`)).status).toBe(400)
  })

  test('is 404 for a name that no user has', async () => {
    expect((await service.fetch('/nobody-at-all/badge')).status).toBe(404)
    expect((await service.fetch('/%00/badge')).status).toBe(404)
  })
})
