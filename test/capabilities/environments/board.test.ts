import { beforeEach, describe, expect, test } from 'bun:test'
import { emptyDatabase } from '../../support/database.ts'
import { elementsOf, textOf } from '../../support/markup.ts'
import { type Poster, password, signUpPoster } from '../../support/people.ts'
import { useService } from '../../support/service.ts'

const service = await useService()

let ada: Poster
let grace: Poster
beforeEach(async () => {
  await emptyDatabase(service.db)
  ada = await signUpPoster(service, { username: 'ada', name: 'Ada <b>' })
  grace = await signUpPoster(service, { username: 'grace' })
})

const release = (poster: Poster, project: string, environment: string, version = 'v1') =>
  poster.announced({ message: version, url: `https://${project}`, environment, version })

async function board(query = ''): Promise<string> {
  const response = await service.fetch(`/environments${query}`)
  expect(response.status).toBe(200)
  return await response.text()
}

const refused = async (query: string) => (await service.fetch(`/environments${query}`)).status === 400

/** The rows of a board by their ids, and its columns. */
const rowsOn = (page: string) =>
  elementsOf(page).flatMap(({ name, attributes: { id = '' } }) =>
    name === 'tr' && id !== '' ? [id.replace('live-of-', '')] : [],
  )
const columnsOn = (page: string) => textOf(page, '.live-where thead .tag')

/** `?project=` for each of these. */
const chosen = (...projects: readonly string[]) =>
  `?${projects.map((project) => `project=${encodeURIComponent(project)}`).join('&')}`

describe('the board of everyone', () => {
  test('has the projects that were deployed to last, each with its user', async () => {
    await release(ada, 'github.com/ada/engine', 'production')
    await release(grace, 'github.com/ada/engine', 'staging', 'v2')
    await ada.announce({ message: 'No environment', url: 'https://github.com/ada/notes' })
    await ada.announce({ message: 'No link', environment: 'dev' })
    await release(ada, 'ada.dev', 'production')
    await release(ada, 'ada.dev', 'staging', 'v2')
    const page = await board()
    expect(rowsOn(page)).toEqual(['ada/ada.dev', 'grace/github.com/ada/engine', 'ada/github.com/ada/engine'])
    expect(columnsOn(page)).toBe('stagingproduction')
    expect(textOf(page, '.of-user')).toContain('Ada <b>')
    // Only deployments of the same user are ahead.
    expect(textOf(page, '.ahead-of')).toBe('1 ahead of production')
  })

  test('is of one environment with ?env=, to which the columns link', async () => {
    for (const environment of ['staging', 'Production'])
      await release(ada, 'github.com/ada/engine', environment)
    await release(grace, 'grace.example', 'staging')
    const hrefs = elementsOf(await board()).map(({ attributes }) => attributes.href)
    expect(hrefs).toContain('/environments?env=production')
    const page = await board('?env=PRODUCTION')
    expect(rowsOn(page)).toEqual(['ada/github.com/ada/engine'])
    expect(columnsOn(page)).toBe('Production')
    expect(textOf(page, '.other-environments')).toBe('')
    expect(textOf(page, '.active-target')).toBe('Only production. Show all')
    expect(textOf(await board('?env=nowhere'), '#overview')).toContain('Nothing is live here yet.')
  })

  test('loses what is withdrawn, and the projects of an account that is deleted', async () => {
    const id = await release(ada, 'ada.dev', 'production')
    await release(grace, 'grace.example', 'production')
    await ada.send(`/ada/${id}/delete`, {})
    expect(rowsOn(await board())).toEqual(['grace/grace.example'])
    await grace.send('/settings/delete', { username: 'grace', password })
    expect(textOf(await board(), '#overview')).toContain('Nothing is live anywhere yet.')
  })

  test('has a picture for previews, as the environments of a user have', async () => {
    for (const path of ['/environments', chosen('ada/ada.dev'), '/ada/-/environments']) {
      const page = await (await service.fetch(path.replace(/^\?/, '/environments?'))).text()
      const image = elementsOf(page).find(({ attributes }) => attributes.property === 'og:image')
      const { pathname, search } = new URL(image?.attributes.content ?? '')
      expect((await service.fetch(pathname + search)).headers.get('content-type')).toBe('image/png')
    }
  })

  test('is for a signed-in reader, too', async () => {
    await release(ada, 'ada.dev', 'production')
    const response = await ada.get('/environments')
    expect(response.headers.get('cache-control')).toContain('no-store')
    expect(rowsOn(await response.text())).toEqual(['ada/ada.dev'])
  })
})

describe('the board of chosen projects', () => {
  test('has what each of them covers, once', async () => {
    for (const project of ['github.com/ada/engine', 'github.com/ada/notes', 'ada.dev'])
      await release(ada, project, 'production')
    await release(grace, 'github.com/ada/engine', 'production')
    const engine = 'ada/github.com/ada/engine'
    const one = await board(chosen(engine))
    expect(rowsOn(one)).toEqual([engine])
    expect(textOf(one, '.active-target')).toBe(`Only ${engine}. Show all`)
    expect(rowsOn(await board(chosen(`/ADA/GitHub.com/ada/engine/`, engine)))).toEqual([engine])
    expect(rowsOn(await board(chosen('grace/github.com/ada/engine', 'ada/ada.dev')))).toEqual([
      'grace/github.com/ada/engine',
      'ada/ada.dev',
    ])
    const below = await board(chosen('ada/github.com/ada', engine))
    expect(rowsOn(below)).toEqual(['ada/github.com/ada/notes', engine])
    expect(textOf(below, '.active-target')).toBe('Only 2 projects. Show all')
    for (const environment of 'abcdefgh') await release(ada, 'github.com/ada/engine', environment)
    const both = await board(chosen('ada/github.com/ada', engine))
    expect(textOf(both, '.other-environments .in-project')).toBe('ada/engine')
    const [wall] = elementsOf(below).filter(({ attributes: { href = '' } }) => href.startsWith('/wall?view'))
    const asked = new URLSearchParams(wall?.attributes.href?.split('?')[1])
    expect(asked.getAll('project')).toEqual(['ada/github.com/ada', engine])
  })

  test('says to which of them nothing was deployed, and shows the others', async () => {
    await release(ada, 'ada.dev', 'production')
    const page = await board(chosen('ada/ada.dev', 'ada/github.com/ada/nothing', 'nobody/ada.dev'))
    expect(rowsOn(page)).toEqual(['ada/ada.dev'])
    expect(textOf(page, 'header.project-head')).toContain(
      'Nothing was ever deployed to ada/github.com/ada/nothing, nobody/ada.dev.',
    )
    expect(rowsOn(await board(chosen('nobody/ada.dev')))).toEqual([])
    expect(rowsOn(await board('?project='))).toEqual(['ada/ada.dev'])
  })

  test('refuses what is no project, more than twenty of them, and what other lists take', async () => {
    const many = Array.from({ length: 21 }, (_, n) => `ada/github.com/ada/p${n}`)
    await board(chosen(...many.slice(1)))
    expect(await refused(chosen(...many))).toBe(true)
    for (const text of [
      'ada',
      'ada/',
      '/github.com',
      'a_b/ada.dev',
      'ada/not a host',
      `ada/${'x'.repeat(9_000)}`,
    ])
      expect([text, await refused(chosen(text))]).toEqual([text, true])
    for (const query of [
      '?user=ada',
      '?target=ada.dev',
      '?category=bug_fix',
      '?env=%0a',
      '?q=x',
      '?before=3',
    ])
      expect([query, await refused(query)]).toEqual([query, true])
  })

  test('is made by a form that offers what is shown', async () => {
    const offered = async (query: string) =>
      elementsOf(await board(query)).flatMap(({ name, attributes: { type, name: field, value, ...more } }) =>
        name === 'input' && type !== undefined ? [[type, field, value, 'checked' in more]] : [],
      )
    await release(ada, 'ada.dev', 'production')
    expect(await offered('')).toEqual([])
    await release(grace, 'ada.dev', 'production')
    expect(await offered('')).toEqual([
      ['checkbox', 'project', 'grace/ada.dev', false],
      ['checkbox', 'project', 'ada/ada.dev', false],
    ])
    expect(
      await offered(`${chosen('ada/ada.dev', 'grace/dev.example', 'grace/ada.dev')}&env=production`),
    ).toEqual([
      ['checkbox', 'project', 'grace/ada.dev', true],
      ['checkbox', 'project', 'ada/ada.dev', true],
      ['hidden', 'env', 'production', false],
    ])
  })

  test('follows only the stream of their user, if they have one', async () => {
    const streamOf = async (query: string) =>
      elementsOf(await board(query)).find(({ attributes }) => attributes.id === 'arrivals')?.attributes[
        'hx-sse:connect'
      ]
    expect(await streamOf('')).toBe('/feed/live')
    expect(await streamOf(chosen('ada/ada.dev', 'ada/github.com'))).toBe('/feed/live?user=ada')
    expect(await streamOf(chosen('ada/ada.dev', 'grace/ada.dev'))).toBe('/feed/live')
  })
})
