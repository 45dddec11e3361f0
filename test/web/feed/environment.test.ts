import { describe, expect, test } from 'bun:test'
import { created, json } from '../../support/api.ts'
import { elementsOf, entriesOf, textOf } from '../../support/markup.ts'
import { signUpPoster } from '../../support/people.ts'
import { useService } from '../../support/service.ts'

const service = await useService()
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
  test.each([
    ['/', '/'],
    [`/${ada.username}`, `/${ada.username}#list`],
  ])('on %s lists what went there, says so, and leads back to all', async (path, all) => {
    expect(await idsOn(path)).toEqual(expect.arrayContaining([plain, staged, shipped]))
    expect(await idsOn(`${path}?env=PRODUCTION`)).toEqual([shipped])
    expect(await idsOn(`${path}?env=nowhere`)).toEqual([])
    const page = await read(`${path}?env=PRODUCTION`)
    expect(textOf(page, '.active-target')).toBe('Only deployments to production. Show all environments')
    expect(page).toContain(`<a href="${all}">Show all environments</a>`)
    const addresses = page.replaceAll('&amp;', '&')
    for (const followed of ['/feed/live', '/feed.atom', '/feed.json']) {
      expect(addresses).toMatch(new RegExp(`${followed}\\?[^"]*env=production`))
    }
  })

  test('of a user goes together with a target', async () => {
    const path = `/${ada.username}/github.com?env=production`
    expect(await idsOn(path)).toEqual([shipped])
    expect(await idsOn(path.replace('production', 'staging'))).toEqual([])
  })

  test.each(['/', `/${ada.username}`, '/feed.atom', `/${ada.username}/feed.json`, '/feed/live'])(
    'on %s is refused where it cannot be one, and together with a category',
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

describe('where it went', () => {
  test('stands in its entry with the version, and leads to all that went there', async () => {
    const page = await read('/?env=production')
    const environment = elementsOf(page).find(({ attributes }) => attributes.class === 'environment')
    expect(environment?.attributes.href).toBe(`/${ada.username}?env=production`)
    expect(textOf(page, '.entry .environment')).toBe('Production')
    expect(textOf(page, '.entry .version')).toBe('v2.4.0 <b>')
    // The link names itself.
    expect(textOf(page, '.entry .reference')).toBe('#412')
  })

  test('is nowhere where it was not given', async () => {
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
