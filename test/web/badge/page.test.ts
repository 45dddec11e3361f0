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
    // On a light ground and on a dark one.
    badges: [...new Set(pictures.filter((address) => address.startsWith('/badge/')))],
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

  test('offers the environments of a project, the latest unless another is chosen', async () => {
    for (const [query, project] of [
      ['', 'app.example.com/log'],
      ['&target=github.com/ada/engine&env=qa', 'github.com/ada/engine'],
    ] as const) {
      const { page, badges, chosen, targets, target } = await read(`?show=environments${query}`)
      expect(chosen).toEqual(['standard', 'environments'])
      expect(badges).toEqual([`/badge/${ada.username}.svg?show=environments&url=${project}`])
      expect((await service.fetch(badges[0] ?? '')).status).toBe(200)
      expect(target).toBe(project)
      expect(targets).toEqual(['app.example.com/log', 'github.com/ada/engine'])
      expect(textOf(page, 'pre code')).toContain('[![Environments](http://shipfeed.test/badge/')
      expect(elementsOf(page).some(({ attributes }) => attributes.name === 'env')).toBeFalse()
    }
  })

  test('offers no environments to somebody without projects', async () => {
    const { username } = await signUpPoster(service)
    for (const path of [`/${username}`, `/${username}/badge`, `/${username}/badge?show=environments`]) {
      const elements = elementsOf(await (await service.fetch(path)).text())
      const shows = elements.filter(({ attributes }) => attributes.name === 'show')
      expect(shows.map(({ attributes }) => attributes.value)).toEqual(['age', 'state', 'version'])
      expect(shows.find(({ attributes }) => 'checked' in attributes)?.attributes.value).toBe('age')
    }
  })

  test('offers prereleases for a version only', async () => {
    expect((await read('?show=version')).chosen).toEqual(['standard', 'version', '0'])
    const { chosen, badges } = await read('?show=version&pre=1')
    expect(chosen).toEqual(['standard', 'version', '1'])
    expect(badges).toEqual([`/badge/${ada.username}.svg?show=version&pre=1`])
    expect((await read('?show=age&pre=1')).badges).toEqual([`/badge/${ada.username}.svg?show=age`])
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
