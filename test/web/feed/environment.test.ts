import { describe, expect, test } from 'bun:test'
import { created, json } from '../../support/api.ts'
import { emptyDatabase } from '../../support/database.ts'
import { elementsOf, entriesOf, textOf } from '../../support/markup.ts'
import { signUpPoster } from '../../support/people.ts'
import { useService } from '../../support/service.ts'

const service = await useService()
// The feed of all users is compared, too.
await emptyDatabase(service.db)
const ada = await signUpPoster(service)
const release = { environment: 'Production', version: 'v2.4.0 <b>', commit: '0123456789abcdef0123' }
const url = 'https://github.com/ada/engine/pull/412'

const announce = async (fields: object) =>
  (await created(await ada.post(json({ message: 'A', ...fields })))).id
const shipped = await announce({ ...release, url })
const staged = await announce({ environment: 'staging' })
const plain = await announce({})

const read = async (path: string) => {
  const response = await service.fetch(path)
  expect(response.status).toBe(200)
  return await response.text()
}
const idsOn = async (path: string) => (await entriesOf(await service.fetch(path))).map(({ id }) => id)

describe('?env=', () => {
  test.each(['/', `/${ada.username}`])(
    'on %s lists what went there, also live and as feeds',
    async (path) => {
      expect(await idsOn(path)).toEqual(expect.arrayContaining([plain, staged, shipped]))
      expect(await idsOn(`${path}?env=PRODUCTION`)).toEqual([shipped])
      expect(await idsOn(`${path}?env=nowhere`)).toEqual([])
      const addresses = (await read(`${path}?env=PRODUCTION`)).replaceAll('&amp;', '&')
      for (const followed of ['/feed/live', '/feed.atom', '/feed.json']) {
        expect(addresses).toMatch(new RegExp(`${followed}\\?[^"]*env=production`))
      }
    },
  )

  test('on the feed says so, and leads back to all', async () => {
    const page = await read('/?env=PRODUCTION')
    expect(textOf(page, '.active-target')).toBe('Only deployments to production. Show all environments')
    expect(page).toContain('<a href="/">Show all environments</a>')
  })

  test('of a user goes together with a target', async () => {
    const path = `/${ada.username}/github.com?env=production`
    expect(await idsOn(path)).toEqual([shipped])
    expect(await idsOn(path.replace('production', 'staging'))).toEqual([])
  })

  test.each(['/', `/${ada.username}`, '/feed.atom', `/${ada.username}/feed.json`, '/feed/live'])(
    'on %s is refused where it is no environment, and together with a category',
    async (path) => {
      for (const asked of ['env=a%20b', 'env=production&category=feature']) {
        expect((await service.fetch(`${path}?${asked}`)).status).toBe(400)
      }
    },
  )

  test('on feeds for readers lists the same', async () => {
    const feed = JSON.parse(await read('/feed.json?env=production'))
    expect(feed.items.map(({ id }: { id: string }) => id)).toEqual([
      expect.stringContaining(`/${ada.username}/${shipped}`),
    ])
    expect(feed.feed_url).toEndWith('/feed.json?env=production')
    expect(await read(`/${ada.username}/feed.atom?env=staging`)).toContain(`/${ada.username}/${staged}<`)
  })
})

/** What the pages of a user offer, each with its address; the one that is shown has a star. */
const offeredOn = async (path: string) =>
  [...(await read(path)).matchAll(/<a class="pill" href="([^"]*)"([^>]*)><bdi>([^<]*)/g)].map(
    ([, href, rest, name]) => `${name}${rest === '' ? '' : '*'} ${href}`,
  )

describe('the environments of a list are offered', () => {
  test('on a profile, a project and a host with several, in the order of the board', async () => {
    const grace = await signUpPoster(service)
    const path = `/${grace.username}`
    const project = `${path}/github.com/ada/engine`
    const offered = (of: string) => [
      `All environments* ${of}#list`,
      `staging ${of}?env=staging#list`,
      `Production ${of}?env=production#list`,
    ]
    await grace.announced({ message: 'A', url, environment: 'staging' })
    expect(await offeredOn(path)).toEqual([])
    expect(await offeredOn(project)).toEqual([])
    await grace.announced({ message: 'A', url, environment: 'Production' })
    for (const of of [path, project, `${path}/github.com`]) expect(await offeredOn(of)).toEqual(offered(of))
    expect(await offeredOn(`${project}?env=production`)).toEqual([
      `All environments ${project}#list`,
      `staging ${project}?env=staging#list`,
      `Production* ${project}?env=production#list`,
    ])
    // They stay on the day that is shown, and are those of the project only.
    const [, onDay] = await offeredOn(`${project}?on=2026-01-02`)
    expect(onDay).toBe(`staging ${project}?env=staging&amp;on=2026-01-02#list`)
    await grace.announced({ message: 'A', environment: 'elsewhere' })
    expect((await offeredOn(path)).at(-1)).toBe(`elsewhere ${path}?env=elsewhere#list`)
    expect(await offeredOn(project)).toHaveLength(3)
  })

  test('to eight, those of a known order first, and to the one that is shown', async () => {
    const grace = await signUpPoster(service)
    const path = `/${grace.username}`
    for (const environment of ['production', 'dev', ...'qrstuvwxyz'])
      await grace.announced({ message: 'A', environment })
    const names = async (query: string) => (await offeredOn(path + query)).map((one) => one.split(' ')[0])
    expect(await names('')).toEqual(['All', 'dev', 'production', ...'zyxwvu'])
    expect((await names('?env=q')).at(-1)).toBe('q*')
    expect(await names('?env=q')).toHaveLength(10)
  })

  test('and a profile with several leads to what is live in each', async () => {
    const grace = await signUpPoster(service)
    const links = async () =>
      (await read(`/${grace.username}`)).includes(`"/${grace.username}/-/environments"`)
    await grace.announced({ message: 'A', url, environment: 'production' })
    expect(await links()).toBe(false)
    await grace.announced({ message: 'A', url, environment: 'staging' })
    expect(await links()).toBe(true)
  })
})

describe('where it went', () => {
  test('stands in its entry with the version, and leads to all that went there', async () => {
    const page = await read(`/${ada.username}?env=production`)
    const environment = elementsOf(page).find(({ attributes }) => attributes.class === 'environment')
    expect(environment?.attributes.href).toBe(`/${ada.username}?env=production`)
    expect(textOf(page, '.entry .environment')).toBe('Production')
    expect(textOf(page, '.entry .version')).toBe('v2.4.0 <b>')
    // The link names itself.
    expect(textOf(page, '.entry .reference')).toBe('#412')
  })

  test('has the whole version, of which only a package may be cut', async () => {
    const grace = await signUpPoster(service)
    const version = '@changesets/apply-release-plan@7.0.0'
    await grace.announced({ message: 'Version Packages', version, environment: 'production' })
    const page = await read(`/${grace.username}`)
    expect(textOf(page, '.entry .version')).toBe(version)
    expect(textOf(page, '.entry .version span')).toBe('@changesets/apply-release-plan')
  })

  test('is shown nowhere if it was not given', async () => {
    const page = await read(`/${ada.username}/${plain}`)
    const classes = elementsOf(page).map(({ attributes }) => attributes.class)
    for (const part of ['release', 'environment', 'version', 'commit']) expect(classes).not.toContain(part)
  })

  test('stands on the page of the deployment with its commit', async () => {
    expect(textOf(await read(`/${ada.username}/${shipped}`), '.release')).toBe(
      'Productionv2.4.0 <b>0123456789ab',
    )
  })
})

test('a version is said once where the link is its release', async () => {
  const grace = await signUpPoster(service)
  const releaseUrl = 'https://github.com/ada/engine/releases/tag/v3'
  const references = async () => textOf(await read(`/${grace.username}`), '.entry .reference')
  await created(await grace.post(json({ message: 'A', url: releaseUrl, version: 'v3' })))
  expect(await references()).toBe('v3 on github.com')
  expect(textOf(await read(`/${grace.username}`), '.entry .reference bdi')).toBe('')
  await created(await grace.post(json({ message: 'A', url: releaseUrl, version: 'v3.0' })))
  expect(textOf(await read(`/${grace.username}`), '.entry .reference bdi')).toBe('v3')
})

test('a commit names a link that does not name itself, and stands alone without one', async () => {
  const grace = await signUpPoster(service)
  const { commit } = release
  for (const fields of [{ commit }, { commit, url: 'https://ada.dev/changes' }]) {
    await created(await grace.post(json({ message: 'A', ...fields })))
  }
  const page = await read(`/${grace.username}`)
  expect(textOf(page, '.entry .reference')).toBe('0123456')
  expect(textOf(page, '.entry code.commit')).toBe('0123456')
})
