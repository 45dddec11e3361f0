import { describe, expect, test } from 'bun:test'
import { elementsOf, textOf } from '../../support/markup.ts'
import { type Poster, signUpPoster } from '../../support/people.ts'
import { useService } from '../../support/service.ts'
import { columnsOn, rowsOn } from './live-table.ts'

const service = await useService()

const engine = 'https://github.com/ada/engine/pull/7'
const site = 'https://ada.dev/start'

async function pageOf({ username }: Poster): Promise<string> {
  const response = await service.fetch(`/${username}/-/environments`)
  expect(response.status).toBe(200)
  return await response.text()
}

describe('the environments of a user', () => {
  test('are a table of projects: what is live in each, and how much the next one does not have', async () => {
    const ada = await signUpPoster(service, { name: 'Ada <b>' })
    const released = (environment: string, version: string) =>
      ada.announced({ message: version, url: engine, environment, version })
    await released('production', 'v1')
    await released('staging', 'v1')
    await released('staging', 'v2')
    const live = await released('Staging', 'v3')
    await ada.announce({ message: 'x', url: site, environment: 'production', commit: 'a89852ac0b' })
    await ada.announce({ message: 'No link', environment: 'dev' })
    const page = await pageOf(ada)
    expect(columnsOn(page)).toBe('Stagingproduction')
    expect(rowsOn(page).map((row) => row.map((cell) => cell.replace(/^.*">/, '')))).toEqual([
      ['ada.dev/start', 'nothing', 'a89852ajust now'],
      ['ada/engine', 'v3just now2 ahead of production', 'v1just now'],
    ])
    const hrefs = elementsOf(page).map(({ attributes }) => attributes.href)
    const project = `/${ada.username}/github.com/ada/engine`
    expect(hrefs).toContain(`/${ada.username}/${live}`)
    expect(hrefs).toContain(project)
    expect(hrefs).toContain(`${project}#ahead-in-staging`)
    const board = await (await service.fetch(project)).text()
    expect(elementsOf(board).map(({ attributes }) => attributes.id)).toContain('ahead-in-staging')
  })

  test('link to where each runs, also those without a column', async () => {
    const ada = await signUpPoster(service)
    for (const environment of ['production', ...'abcdefgh']) {
      const runsAt = `https://${environment}.example.com/`
      await ada.announce({ message: 'x', project: 'engine', environment, environment_url: runsAt })
    }
    const page = await pageOf(ada)
    const links = elementsOf(page).filter(({ attributes }) => attributes.class === 'reference')
    expect(links.map(({ attributes }) => attributes.href).toSorted()).toEqual(
      ['production', ...'abcdefgh'].map((name) => `https://${name}.example.com/`).toSorted(),
    )
    expect(textOf(page, '.live-where .reference')).toContain('Open production of engine')
    expect(textOf(page, '.other-environments .reference')).toBe('Open a of engine')
  })

  test('of a region are compared with those of the same region', async () => {
    const ada = await signUpPoster(service)
    const released = (environment: string, version: string) =>
      ada.announce({ message: version, url: engine, environment, version })
    for (const environment of ['staging-eu', 'prod-us', 'prod-eu']) await released(environment, 'v1')
    for (const version of ['v2', 'v3']) await released('staging-eu', version)
    const page = await pageOf(ada)
    expect(columnsOn(page)).toBe('staging-euprod-euprod-us')
    expect(textOf(page, '.live-where tbody')).toContain('2 ahead of prod-eu')
  })

  test('have at most eight columns, and the others are folded with their projects', async () => {
    const ada = await signUpPoster(service)
    const announce = (environment: string, url = engine) => ada.announce({ message: 'x', url, environment })
    await announce('production', site)
    for (const environment of ['staging', 'production', ...'abcdef']) await announce(environment)
    const eight = await pageOf(ada)
    expect(columnsOn(eight)).toBe('stagingproductionfedcba')
    expect(textOf(eight, '.other-environments')).toBe('')
    await announce('g')
    const nine = await pageOf(ada)
    expect(columnsOn(nine)).toBe('stagingproductiongfedcb')
    expect(textOf(nine, '.other-environments')).toBe('1 more environmentaada/enginexjust now')
  })

  test('are explained where there are none, and are of a user who exists', async () => {
    const ada = await signUpPoster(service)
    await ada.announce({ message: 'x', url: engine })
    expect(textOf(await pageOf(ada), '#overview')).toContain('Nothing is live anywhere yet.')
    expect((await service.fetch('/nobody-here/-/environments')).status).toBe(404)
    expect((await service.fetch(`/${ada.username}/-/environments?env=staging`)).status).toBe(400)
    // Paths that look like it are still answered as before.
    for (const path of ['-', '-/other', '-/environments/more', '-12']) {
      expect((await service.fetch(`/${ada.username}/${path}`)).status).toBe(404)
    }
  })
})
