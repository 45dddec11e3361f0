import { describe, expect, test } from 'bun:test'
import { behindProxy, fromNewAddress, signUpPoster } from '../../support/people.ts'
import { decodePng, type Picture } from '../../support/png.ts'
import { useService } from '../../support/service.ts'

const service = await useService(behindProxy)
const ada = await signUpPoster(service, { name: 'Ada Lovelace' })
await ada.announced({ message: 'feat: saved searches', url: 'https://github.com/ada/engine/pull/1' })

const get = (path: string, headers: Record<string, string> = {}) =>
  service.fetch(path, { headers: { ...fromNewAddress(), ...headers } })

async function picture(path: string): Promise<Picture> {
  const response = await get(path)
  expect([path, response.status, response.headers.get('content-type')]).toEqual([path, 200, 'image/png'])
  return decodePng(new Uint8Array(await response.arrayBuffer()))
}

const ink = 0x1c1d1f

function inkOf({ at }: Picture): readonly string[] {
  const places: string[] = []
  for (let y = 124; y < 460; y += 3)
    for (let x = 64; x < 1136; x += 3) if (at(x, y) === ink) places.push(`${x} ${y}`)
  return places
}

/** The places of the subject alone: a poster's line differs with the name. */
const subjectOf = (drawn: Picture) => inkOf(drawn).filter((place) => Number(place.split(' ')[1]) < 310)

describe('the cards of the site, of a profile and of a project', () => {
  test.each([
    ['/card.png', null],
    [`/${ada.username}/card.png`, 0x0f7b4f],
    [`/${ada.username}/github.com/ada/engine/card.png`, 0x0f7b4f],
    [`/${ada.username}/github.com/card.png`, 0x0f7b4f],
  ])(
    '%s is a picture of 1200 by 630 with something said, and the year where there is one',
    async (path, today) => {
      const drawn = await picture(path)
      expect([drawn.width, drawn.height]).toEqual([1200, 630])
      expect(inkOf(drawn).length).toBeGreaterThan(100)
      const cells = Array.from({ length: 7 }, (_, row) => drawn.at(1128, 474 + Math.round(row * 20.3)))
      if (today !== null) expect(cells).toContain(today)
    },
  )

  test('are kept for an hour, 304 for a reader that has them, and new after a deployment', async () => {
    const grace = await signUpPoster(service)
    const path = `/${grace.username}/card.png`
    const { headers } = await get(path)
    expect(headers.get('cache-control')).toBe('public, max-age=3600')
    const etag = headers.get('etag') ?? ''
    expect((await get(path, { 'If-None-Match': etag })).status).toBe(304)
    await grace.announced({ message: 'fix: it' })
    expect((await get(path, { 'If-None-Match': etag })).status).toBe(200)
  })

  test('say who deployed where the font lacks letters, never an escape', async () => {
    const yamada = await signUpPoster(service, { name: '山田' })
    const lacking = ['https://xn--r8jz45g.jp', 'https://ada.dev/%E3%83%AA', 'https://xn--80ak6aa92e.com']
    for (const url of lacking) await yamada.announced({ message: 'エラーを修正', url })
    const targets = ['xn--r8jz45g.jp', 'ada.dev/%E3%83%AA', 'xn--80ak6aa92e.com']
    const said = subjectOf(await picture(`/${yamada.username}/card.png`))
    for (const target of targets) {
      expect(subjectOf(await picture(`/${yamada.username}/${target}/card.png`))).toEqual(said)
    }
  })

  test('are 404 for what nobody deploys, and for nobody', async () => {
    for (const path of [
      '/nobody-here/card.png',
      `/${ada.username}/a.example/card.png`,
      `/${ada.username}/x/card.png`,
    ]) {
      expect([path, (await get(path)).status]).toEqual([path, 404])
    }
  })

  test('leave the page to a project that has the name of a picture', async () => {
    const eve = await signUpPoster(service)
    for (const name of ['card.png', 'year.svg']) {
      await eve.announced({ message: 'feat: a picture', url: `https://github.com/eve/${name}` })
      const page = await get(`/${eve.username}/github.com/eve/${name}`)
      expect([name, page.headers.get('content-type')]).toEqual([name, 'text/html; charset=utf-8'])
      await picture(`/${eve.username}/github.com/eve/${name}/card.png`)
    }
  })
})

test.each([
  ['/', '', 'website'],
  [`/${ada.username}`, `/${ada.username}`, 'profile'],
  [`/${ada.username}?category=feature`, `/${ada.username}`, 'profile'],
  [`/${ada.username}/github.com/ada/engine`, `/${ada.username}/github.com/ada/engine`, 'article'],
])('%s names its picture for chats', async (path, address, type) => {
  const page = await (await get(path)).text()
  const content = (name: string) =>
    new RegExp(`<meta (?:property|name)="${name}" content="([^"]*)"`).exec(page)?.[1]
  const shown = new URL(content('og:image') ?? '')
  expect(shown.pathname).toBe(`${address}/card.png`)
  expect(content('og:url')).toEndWith(address)
  expect([content('og:type'), content('twitter:card')]).toEqual([type, 'summary_large_image'])
  if (path !== '/') expect(content('og:description')).toContain('feat: saved searches')
  await picture(shown.pathname)
})

describe('year.svg', () => {
  const year = async (path: string) => {
    const response = await get(path)
    return { status: response.status, headers: response.headers, svg: await response.text() }
  }

  test('is as fresh as a badge, for a user and for a target', async () => {
    const grace = await signUpPoster(service)
    const [all, one, host] = ['', '/github.com/grace/cobol', '/github.com'].map(
      (target) => `/${grace.username}${target}/year.svg`,
    ) as [string, string, string]
    const said = async () =>
      await Promise.all(
        [all, one, host].map(async (path) => /<title>(.*)<\/title>/.exec((await year(path)).svg)?.[1]),
      )
    expect(await said()).toEqual(Array(3).fill('0 deployments in the last year'))
    await grace.announced({ message: 'fix: a', url: 'https://github.com/grace/cobol/pull/1' })
    await grace.announced({ message: 'fix: b', url: 'https://github.com/grace/other' })
    expect(await said()).toEqual(
      ['2', '1', '2'].map((n) => `${n} deployment${n === '1' ? '' : 's'} in the last year`),
    )
    const { headers } = await year(all)
    expect(headers.get('cache-control')).toBe('no-cache, no-store, must-revalidate, max-age=0')
    expect(headers.get('content-type')).toBe('image/svg+xml; charset=utf-8')
    expect(headers.get('cross-origin-resource-policy')).toBe('cross-origin')
  })

  test('has the colours that are asked for', async () => {
    const path = `/${ada.username}/year.svg`
    const [auto, light, dark, wrong] = await Promise.all(
      ['', '?theme=light', '?theme=dark', '?theme=pink'].map(async (query) => (await year(path + query)).svg),
    )
    expect(auto).toContain('@media(prefers-color-scheme:dark)')
    expect(light).not.toContain('@media')
    expect(light).toContain('#ebebe9')
    expect(dark).toContain('#202428')
    expect(dark).not.toContain('#ebebe9')
    expect(wrong).toBe(auto)
  })

  test('is a picture for nobody, too', async () => {
    for (const path of ['/nobody-here/year.svg', '/-/year.svg', `/${ada.username}/%00/year.svg`]) {
      const { svg, headers } = await year(path)
      expect([path, headers.get('content-type')]).toEqual([path, 'image/svg+xml; charset=utf-8'])
      expect(svg).toStartWith('<svg')
    }
    for (const path of ['/nobody-here/year.svg', '/nobody-here/github.com/ada/engine/year.svg']) {
      expect([path, (await year(path)).status]).toEqual([path, 200])
    }
  })

  test('may have a target whose slashes are escaped, as clients of an OpenAPI document write it', async () => {
    const [plain, escaped] = ['github.com/ada/engine', 'github.com%2Fada%2fengine'].map(
      (target) => `/${ada.username}/${target}/year.svg`,
    ) as [string, string]
    const { status, svg } = await year(escaped)
    expect([status, svg]).toEqual([200, (await year(plain)).svg])
    expect(svg).not.toContain('>0 deployments')
  })
})
