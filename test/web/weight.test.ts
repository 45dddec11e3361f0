import { describe, expect, test } from 'bun:test'
import { emptyDatabase } from '../support/database.ts'
import { signUpPoster } from '../support/people.ts'
import { useService } from '../support/service.ts'

const service = await useService()
await emptyDatabase(service.db)
const posters = await Promise.all([1, 2, 3, 4, 5].map(() => signUpPoster(service)))
for (let n = 0; n < 26; n += 1) {
  const message = `✨ Saved searches ${n}\n\nYou can now pin a search and get it back on every device.\nWorks offline too.`
  const url = `https://github.com/ada/engine/commit/${String(n).padStart(40, '9f1c2ab')}`
  expect((await posters[n % 5]?.announce({ message, url }))?.status).toBe(201)
}

const gzip = { 'Accept-Encoding': 'gzip, deflate, br' }

/** The body as it travels. */
async function weigh(path: string, headers: Record<string, string> = gzip) {
  const asItTravels: BunFetchRequestInit = { headers, decompress: false }
  const response = await fetch(service.url + path, asItTravels)
  expect(response.status).toBe(200)
  return { bytes: new Uint8Array(await response.arrayBuffer()), headers: response.headers }
}

describe('a first visit', () => {
  test.each([
    ...['/', '/sign-up', 'profile', 'badge', 'deployment'].map((page) => [page, 60] as const),
    ['/docs', 65] as const,
  ])('to %s weighs %d KB at most', async (page, most) => {
    const path = await pathOf(page)
    const html = await (await service.fetch(path)).text()
    const left = [...html.matchAll(/(?:src|href)="(\/(?:assets|badge|favicon)[^"]*)"/g)].map(
      ([, url = '']) => url,
    )
    let weight = (await weigh(path)).bytes.length
    for (const file of left) {
      const { bytes, headers } = await weigh(file.replaceAll('&amp;', '&'))
      weight += bytes.length
      if (!headers.get('content-type')?.includes('javascript')) continue
      const source = await (await service.fetch(file)).text()
      for (const [, module = ''] of source.matchAll(/^import .* from ['"](.*)['"]/gm)) {
        const imported = new URL(module, service.url + file).pathname
        if (!left.includes(imported)) left.push(imported)
      }
    }
    expect(weight).toBeLessThanOrEqual(most * 1_000)
  })

  test('the HTML of 25 entries, with the strip and the tags for previews, is 33 KB at most, uncompressed', async () => {
    const html = await (await service.fetch('/')).text()
    expect(html.split(/<li class="entry(?: joined)?(?: by-bot)?"/)).toHaveLength(26)
    expect(html.length).toBeLessThanOrEqual(33 * 1_024)
  })
})

describe('compression', () => {
  test.each(['/', '/docs', 'profile', 'badge', 'deployment', '/?before=999999999'])(
    'of %s gives the same text, to those who can read it, and caches can tell',
    async (page) => {
      const path = await pathOf(page)
      const before = await weigh(path, { 'Accept-Encoding': 'identity' })
      const compressed = await weigh(path)
      expect(compressed.headers.get('content-encoding')).toBe('gzip')
      expect(compressed.headers.get('vary')).toContain('Accept-Encoding')
      const plain = await weigh(path, { 'Accept-Encoding': 'identity' })
      expect(plain.headers.has('content-encoding')).toBe(false)
      expect(plain.headers.get('vary')).toBe(compressed.headers.get('vary') ?? '')
      // An age or a day may turn over between two answers, and then it is as in the later one.
      const texts = [before.bytes, plain.bytes].map(textOf)
      expect(texts).toContain(textOf(Bun.gunzipSync(compressed.bytes)))
    },
  )

  test.each([
    ['gzip', true],
    ['GZIP', true],
    ['br, gzip;q=0.1', true],
    ['deflate,gzip ; q=1.0', true],
    ['gzip;q=0', false],
    ['gzip;q=0.000', false],
    ['br', false],
    ['identity', false],
    ['', false],
    ['x-gzipped', false],
  ])('follows "Accept-Encoding: %s"', async (accepted, isCompressed) => {
    const { headers } = await weigh('/docs', { 'Accept-Encoding': accepted })
    expect(headers.get('content-encoding') === 'gzip').toBe(isCompressed)
  })

  test('of an older part is the same', async () => {
    const { headers } = await weigh('/?before=999999999', { ...gzip, 'HX-Request': 'true' })
    expect(headers.get('content-encoding')).toBe('gzip')
  })

  test('leaves pages with a secret, forms, badges and the stream alone', async () => {
    const own = { Cookie: posters[0]?.cookie ?? '', ...gzip }
    expect((await weigh('/settings', own)).headers.has('content-encoding')).toBe(false)
    for (const path of ['/sign-in', '/sign-up', '/badge/x.svg', '/badge/x.svg?style=dot']) {
      const { headers } = await weigh(path)
      expect([path, headers.has('content-encoding')]).toEqual([path, false])
    }
    const stream = await service.fetch('/feed/live', { headers: gzip })
    expect(stream.headers.has('content-encoding')).toBe(false)
    await stream.body?.cancel()
  })
})

/** The text of a page, without the second that it was made in. */
function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes).replace(/data-now="[^"]*"/g, '')
}

async function pathOf(page: string): Promise<string> {
  if (page.startsWith('/')) return page
  const username = posters[0]?.username
  if (page === 'profile') return `/${username}`
  if (page === 'badge') return `/${username}/badge`
  const profile = await (await service.fetch(`/${username}`)).text()
  return /href="(\/[\w-]+\/\d+)"/.exec(profile)?.[1] ?? ''
}
