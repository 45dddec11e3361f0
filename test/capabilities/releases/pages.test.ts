import { describe, expect, test } from 'bun:test'
import { addImport, release } from '../../support/api.ts'
import { elementsOf, textOf } from '../../support/markup.ts'
import { type Poster, signUpPoster } from '../../support/people.ts'
import { useService } from '../../support/service.ts'

const service = await useService()

const link = 'https://github.com/ada/engine/pull/7'
const project = ({ username }: Poster) => `/${username}/github.com/ada/engine`

const released = (ada: Poster, version: string, environment?: string, message = `Headline of ${version}`) =>
  ada.announced({ message, url: link, version, environment })

async function pageAt(path: string): Promise<string> {
  const response = await service.fetch(path)
  expect([path, response.status]).toEqual([path, 200])
  return await response.text()
}

const refusalAt = async (path: string) => {
  const response = await service.fetch(path, { headers: { accept: 'text/html' } })
  return [response.status, textOf(await response.text(), 'main')] as const
}

/** Each release of a list, as it is read. */
const rowsOn = (page: string) =>
  page
    .split('<p class="release-line">')
    .slice(1)
    .map((row) => textOf(row.split('</ol>')[0], '.release-name, .what, .journey').replace(/\s+/g, ' '))

const hrefsOn = (page: string) => elementsOf(page).flatMap(({ attributes: { href } }) => href ?? [])

describe('the releases of a project', () => {
  test('are listed with the last announced first, each with its way through the environments', async () => {
    const ada = await signUpPoster(service)
    const first = await released(ada, 'v1', 'dev')
    await released(ada, 'v2', 'dev')
    const stop = await released(ada, 'v1', 'production')
    await released(ada, 'v1', 'staging')
    await ada.announced({ message: 'Neither version nor commit', url: link, environment: 'test' })
    await ada.announced({ message: 'Elsewhere', url: 'https://github.com/ada/notes', version: 'v9' })
    const page = await pageAt(`${project(ada)}/releases`)
    expect(rowsOn(page)).toEqual([
      'v2Headline of v2devlive',
      'v1Headline of v1devafter < 1 minstaginglive' + 'productionlive',
    ])
    expect(hrefsOn(page)).toContain(`${project(ada)}/releases/${first}`)
    expect(hrefsOn(page)).toContain(`/${ada.username}/${stop}`)
  })

  test('are paged by the first deployment, and every release is on one page with all of its stops', async () => {
    const ada = await signUpPoster(service)
    for (let n = 1; n <= 27; n += 1) await released(ada, `v${n}`, 'dev')
    await released(ada, 'v1', 'production')
    const newest = await pageAt(`${project(ada)}/releases`)
    expect(rowsOn(newest)).toHaveLength(25)
    const older = hrefsOn(newest).find((href) => href.includes('before=')) ?? ''
    const last = await pageAt(older)
    expect(rowsOn(last)).toEqual(['v2Headline of v2dev', 'v1Headline of v1devafter < 1 minproductionlive'])
    expect(hrefsOn(last).filter((href) => href.includes('before='))).toEqual([`http://shipfeed.test${older}`])
    expect(hrefsOn(last)).toContain(`${project(ada)}/releases`)
  })

  test('of a host are also below "-", because a project of the host may be called "releases"', async () => {
    const ada = await signUpPoster(service)
    const announce = (url: string, version: string) => ada.announced({ message: version, url, version })
    await announce('https://codeberg.org', 'v1')
    expect(rowsOn(await pageAt(`/${ada.username}/codeberg.org/releases`))).toEqual(['v1v1announced'])
    expect(hrefsOn(await pageAt(`/${ada.username}/codeberg.org`))).toContain(
      `/${ada.username}/codeberg.org/-/releases`,
    )
    await announce('https://codeberg.org/releases', 'v2')
    expect(await pageAt(`/${ada.username}/codeberg.org/releases`)).toContain('id="deployments"')
    expect(rowsOn(await pageAt(`/${ada.username}/codeberg.org/-/releases`))).toEqual(['v1v1announced'])
  })

  test('are linked from the page of the project and of each deployment, if there are any', async () => {
    const ada = await signUpPoster(service)
    const bare = await ada.announced({ message: 'Bare', url: link })
    const list = `${project(ada)}/releases`
    expect(hrefsOn(await pageAt(project(ada)))).not.toContain(list)
    expect(await pageAt(`/${ada.username}/${bare}`)).not.toContain('/releases')
    expect(textOf(await pageAt(list), '.empty')).toContain('No release yet')
    const id = await ada.announced({ message: 'Named', url: link, commit: 'a89852ac0b1d' })
    expect(hrefsOn(await pageAt(project(ada)))).toContain(list)
    expect(hrefsOn(await pageAt(`/${ada.username}/${id}`))).toContain(`${list}/${id}`)
    const unlinked = await ada.announced({ message: 'Without a link', version: 'v1' })
    expect(await pageAt(`/${ada.username}/${unlinked}`)).not.toContain('/releases')
  })

  test('are not found where nothing was deployed, and wrong parameters are refused', async () => {
    const ada = await signUpPoster(service)
    const unnamed = await ada.announced({ message: 'x', url: link })
    for (const path of [
      `/nobody-here/github.com/ada/engine/releases`,
      `/${ada.username}/github.com/ada/nothing/releases`,
      `/${ada.username}/github.com/ada/nothing/releases/1`,
      `${project(ada)}/releases/${unnamed}`,
      `${project(ada)}/releases/999999`,
    ])
      expect([path, (await refusalAt(path))[0]]).toEqual([path, 404])
    const [status, text] = await refusalAt(`${project(ada)}/releases?before=x`)
    expect([status, text]).toEqual([400, expect.stringContaining('before')])
    expect((await refusalAt(`${project(ada)}/releases?env=dev`))[0]).toBe(400)
    expect((await refusalAt(`${project(ada)}/releases/${unnamed}?before=1`))[0]).toBe(400)
  })
})

describe('the page of a release', () => {
  test('has an address of any of its deployments, and names the first', async () => {
    const ada = await signUpPoster(service)
    const first = await released(ada, 'v1/<b>&"', 'dev')
    const second = await released(ada, 'v1/<b>&"', 'production')
    for (const id of [first, second]) {
      const page = await pageAt(`${project(ada)}/releases/${id}`)
      expect(textOf(page, 'h1')).toBe('v1/<b>&"')
      expect(hrefsOn(page)).toContain(`http://shipfeed.test${project(ada)}/releases/${first}`)
    }
  })

  test('says where it is live, what came after it, and what is new there since the release before', async () => {
    const ada = await signUpPoster(service)
    for (const [version, environment] of [
      ['v1', 'dev'],
      ['v1', 'production'],
      ['v2', 'dev'],
      ['v3', 'dev'],
      ['v3', 'staging'],
      ['v3', 'production'],
    ] as const)
      await released(ada, version, environment)
    const id = await released(ada, 'v4', 'dev')
    const pageOf = async (of: number) => await pageAt(`${project(ada)}/releases/${of}`)
    const [, v3 = ''] = hrefsOn(await pageAt(`${project(ada)}/releases`)).filter((href) =>
      /releases\/\d+$/.test(href),
    )
    const page = await pageAt(v3)
    expect(
      [textOf(page, '.ahead'), textOf(page, '.live-mark')].map((text) => text.replace(/\s+/g, ' ')),
    ).toEqual(['Replaced by v4 after less than a minute', 'livelive'])
    const news = page.split('<section class="news">').slice(1)
    expect(news.map((one) => textOf(one.split('</section>')[0], '*').replace(/\s+/g, ' '))).toEqual([
      'New in production since v1 · CompareHeadline of v3v3Headline of v2v2',
      'New in stagingHeadline of v3v3',
      'New in dev since v2 · CompareHeadline of v3v3',
    ])
    expect(page).toContain(' from dev to production')
    expect(textOf(await pageOf(id), '.news').replace(/\s+/g, ' ')).toBe(
      'New in dev since v3 · CompareHeadline of v4v4',
    )
  })

  test('says who brought it to each environment, and compares it with what was there on the forge', async () => {
    const ada = await signUpPoster(service)
    const by = (version: string, environment: string, actor?: string) =>
      ada.announced({ message: version, url: link, version, environment, actor })
    await by('v1', 'production')
    await by('v2', 'staging', 'grace')
    const id = await by('v2', 'production', 'Linus <b>')
    await by('v2', 'production', 'grace')
    const page = await pageAt(`${project(ada)}/releases/${id}`)
    const [staging, production] = page.split('class="reached"').slice(1)
    expect(textOf(`<p class="reached"${staging}`, '.reached > .actor').replace(/\s+/g, ' ')).toBe('by grace')
    expect(textOf(`<p class="reached"${production}`, '.reached > .actor')).toBe('by Linus <b>')
    expect(textOf(page, '.ahead').replace(/\s+/g, ' ')).toBe('Again just now by grace. ')
    expect(hrefsOn(page)).toContain(`/${ada.username}?actor=grace`)
    expect(hrefsOn(page).filter((href) => href.includes('/compare/'))).toEqual([
      'https://github.com/ada/engine/compare/v1...v2',
    ])
  })

  test('says where it was deployed again, and that a rollback is live', async () => {
    const ada = await signUpPoster(service)
    const id = await released(ada, 'v1', 'production')
    await released(ada, 'v2', 'production')
    const again = await released(ada, 'v1', 'production')
    const page = await pageAt(`${project(ada)}/releases/${id}`)
    expect(textOf(page, '.ahead').replace(/\s+/g, ' ')).toBe('Again just now. ')
    expect(textOf(page, '.live-mark')).toBe('live')
    expect(hrefsOn(page)).toContain(`/${ada.username}/${again}`)
    expect(textOf(page, '.news')).toBe('New in productionHeadline of v1v1')
  })
})

test('a release may begin in history, whose ids are below zero', async () => {
  const ada = await signUpPoster(service)
  const inHistory = (n: number, environment: string, hour: number) =>
    release(n, new Date(Date.UTC(2024, 0, 1, hour)).toJSON(), { key: `k${n}`, version: 'v1', environment })
  await addImport(service, ada, [inHistory(2, 'staging', 9), inHistory(1, 'dev', 4)])
  await released(ada, 'v1', 'production')
  const list = await pageAt(`${project(ada)}/releases`)
  expect(rowsOn(list)[0]).toEndWith('devliveafter 5 hstagingliveafter 2 yproductionlive')
  const [at = ''] = hrefsOn(list).filter((href) => /releases\/-\d+$/.test(href))
  expect(textOf(await pageAt(at), 'strong')).toBe('2 years')
})

describe('the releases for programs', () => {
  test('are those of the page, with what is live and the lead time', async () => {
    const ada = await signUpPoster(service)
    const dev = await released(ada, 'v1', 'dev')
    const production = await released(ada, 'v1', 'production')
    await released(ada, 'v2', 'dev')
    await ada.announced({ message: 'x', url: link, commit: 'a89852ac0b1d' })
    const response = await service.fetch(`/api/releases?user=${ada.username}&target=${link}`)
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    const { releases, older } = (await response.json()) as {
      releases: Record<string, unknown>[]
      older: null
    }
    expect(older).toBeNull()
    expect(releases).toMatchObject([
      {
        version: null,
        commit: 'a89852ac0b1d',
        lead_time_seconds: null,
        stops: [{ environment: null, live: false }],
      },
      { version: 'v2', stops: [{ environment: 'dev', live: true }] },
      {
        version: 'v1',
        lead_time_seconds: expect.any(Number),
        page: `http://shipfeed.test${project(ada)}/releases/${dev}`,
        stops: [
          { environment: 'dev', live: false, id: dev },
          {
            environment: 'production',
            live: true,
            id: production,
            page: expect.stringContaining(`/${production}`),
          },
        ],
      },
    ])
  })

  test('are paged, and need a user and a project', async () => {
    const ada = await signUpPoster(service)
    for (let n = 1; n <= 26; n += 1) await released(ada, `v${n}`)
    const pageAt = async (path: string) =>
      (await (await service.fetch(path)).json()) as {
        releases: { version: string }[]
        older: string | null
        message: string
      }
    const first = await pageAt(`/api/releases?user=${ada.username}&target=github.com/ada/engine`)
    expect(first.releases).toHaveLength(25)
    const { pathname, search } = new URL(first.older ?? '')
    const last = await pageAt(pathname + search)
    expect([last.releases.map(({ version }) => version), last.older]).toEqual([['v1'], null])
    for (const query of ['', `?user=${ada.username}`, '?target=github.com/ada/engine'])
      expect((await pageAt(`/api/releases${query}`)).message).toContain('Give "user" and "target"')
  })
})
