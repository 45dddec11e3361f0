import { describe, expect, test } from 'bun:test'
import { passMidnight } from '../support/eventually.ts'
import { behindProxy, fromNewAddress, signUpPoster } from '../support/people.ts'
import { decodePng, type Picture } from '../support/png.ts'
import { startService, useService } from '../support/service.ts'

const service = await useService(behindProxy)
const ada = await signUpPoster(service, { name: 'Ada Lovelace' })

async function announce(message: string, url?: string): Promise<number> {
  const response = await ada.announce(url === undefined ? { message } : { message, url })
  expect(response.status).toBe(201)
  return ((await response.json()) as { id: number }).id
}

const card = (id: number, init: RequestInit = {}) =>
  service.fetch(`/${ada.username}/${id}/card.png`, {
    ...init,
    headers: { ...fromNewAddress(), ...(init.headers as Record<string, string>) },
  })

async function picture(message: string, url?: string): Promise<Picture> {
  const response = await card(await announce(message, url))
  expect(response.status).toBe(200)
  return decodePng(new Uint8Array(await response.arrayBuffer()))
}

const ground = 0xfbfbfa
const ink = 0x1c1d1f

/** The share of a part of a picture that is not its ground. */
function inked({ at }: Picture, [left, top, right, bottom]: readonly [number, number, number, number]) {
  let count = 0
  for (let y = top; y < bottom; y += 2) {
    for (let x = left; x < right; x += 2) if (at(x, y) !== ground) count += 1
  }
  return count / (((right - left) * (bottom - top)) / 4)
}

const margins = [
  [0, 0, 1200, 50],
  [0, 0, 56, 630],
  [1140, 0, 1200, 630],
  [0, 612, 1200, 630],
] as const
const subject = [64, 124, 1136, 330] as const
const label = [820, 58, 1136, 100] as const
const year = [64, 466, 1136, 606] as const

describe('GET /<username>/<id>/card.png', () => {
  test('is a picture of 1200 by 630, with ink where something is said and nowhere else', async () => {
    const drawn = await picture(
      'fix(locale): apply Arabic plural rules to ar_SA',
      'https://github.com/ada/engine',
    )
    expect([drawn.width, drawn.height]).toEqual([1200, 630])
    expect(margins.map((part) => inked(drawn, part))).toEqual([0, 0, 0, 0])
    expect(inked(drawn, subject)).toBeWithin(0.05, 0.4)
    expect(inked(drawn, label)).toBeWithin(0.2, 0.6)
    expect(inked(drawn, year)).toBeWithin(0.5, 0.9)
    // Today, which is the last cell of the year, is the busiest.
    const cells = Array.from({ length: 7 }, (_, row) => drawn.at(1128, 474 + Math.round(row * 20.3)))
    expect(cells).toContain(0x0f7b4f)
  })

  test('has no label where no category is known', async () => {
    expect(inked(await picture('Move the cache'), label)).toBe(0)
  })

  test.each([
    ['a word without end', 'W'.repeat(1_900)],
    ['a message without end', 'a word after another '.repeat(90)],
    ['a prefix without end', `fix(${'scope-'.repeat(300)}): it`],
    ['accents on accents', `Z${'\u0301\u0323'.repeat(500)}algo`],
    ['markup', '</text></svg><script>&amp;"\'<!-- ]]>'],
    ['controls, bidi and what has no ink', 'a\u0001\u202eb\u2066c\u200d\ufffe\u{e0041}'],
    ['letters that the font lacks', '修复 إصلاح ✨'],
    ['nothing but emoji', '🚀🎉'],
  ])('keeps to its margins, the poster and the year, whatever is said: %s', async (_, message) => {
    const drawn = await picture(message)
    expect(margins.map((part) => inked(drawn, part))).toEqual([0, 0, 0, 0])
    expect(inked(drawn, [64, 420, 1136, 460])).toBe(0)
    expect(inked(drawn, subject)).toBeGreaterThan(0.01)
  })

  test('says the project where the font lacks letters of the subject, and never draws their boxes', async () => {
    // Both tell the day.
    await passMidnight()
    const url = 'https://ada.dev'
    const [lacking, other] = [await picture('修复了一个错误', url), await picture('エラーを修正', url)]
    const part = [64, 124, 1136, 460] as const
    const inkOf = ({ at }: Picture) => {
      const places: string[] = []
      for (let y: number = part[1]; y < part[3]; y += 3)
        for (let x: number = part[0]; x < part[2]; x += 3) if (at(x, y) === ink) places.push(`${x} ${y}`)
      return places
    }
    expect(inkOf(lacking)).toEqual(inkOf(other))
    expect(inkOf(lacking).length).toBeGreaterThan(100)
  })

  test('is public, kept for an hour, and 304 for who has it', async () => {
    const id = await announce('feat: kept')
    const { headers } = await card(id)
    expect(headers.get('content-type')).toBe('image/png')
    expect(headers.get('cache-control')).toBe('public, max-age=3600')
    expect(headers.get('cross-origin-resource-policy')).toBe('cross-origin')
    const etag = headers.get('etag') ?? ''
    const known = await card(id, { headers: { 'If-None-Match': etag } })
    expect([known.status, await known.text()]).toEqual([304, ''])
    const head = await card(id, { method: 'HEAD' })
    expect([head.status, head.headers.get('etag')]).toEqual([200, etag])
    expect((await ada.send('/settings/profile', { name: 'Ada Byron' })).status).toBe(303)
    expect((await card(id)).headers.get('etag')).not.toBe(etag)
  })

  test('is gone with its deployment, and never of another poster', async () => {
    const id = await announce('Withdrawn')
    const other = await signUpPoster(service)
    expect((await service.fetch(`/${other.username}/${id}/card.png`)).status).toBe(404)
    expect((await ada.send(`/${ada.username}/${id}/delete`, {})).status).toBe(303)
    expect((await card(id)).status).toBe(404)
    for (const wrong of ['0', '01', '1e3', 'x', '%00']) {
      expect((await service.fetch(`/${ada.username}/${wrong}/card.png`)).status).toBe(404)
    }
  })
})

describe('a flood', () => {
  test('of one picture draws it once, and of many is told to come later, while badges go on', async () => {
    await using flooded = await startService(behindProxy)
    const grace = await signUpPoster(flooded)
    const posted = await Promise.all(
      Array.from({ length: 40 }, (_, n) => grace.announce({ message: `feat: number ${n}` })),
    )
    const ids = await Promise.all(
      posted.map(async (response) => ((await response.json()) as { id: number }).id),
    )
    const ask = (id: number, headers = fromNewAddress()) =>
      flooded.fetch(`/${grace.username}/${id}/card.png`, { headers })

    const alike = await Promise.all(Array.from({ length: 40 }, () => ask(ids[0] ?? 0)))
    expect(new Set(alike.map(({ status }) => status))).toEqual(new Set([200]))

    const different = Promise.all(ids.map((id) => ask(id)))
    expect((await flooded.fetch(`/badge/${grace.username}.svg`)).status).toBe(200)
    const statuses = (await different).map(({ status }) => status)
    expect(statuses.filter((status) => status === 200).length).toBeWithin(16, 40)
    const refused = (await different).find(({ status }) => status === 503)
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0)

    const address = fromNewAddress()
    const ofOne = await Promise.all(ids.slice(20).map((id) => ask(id, address)))
    expect(new Set(ofOne.map(({ status }) => status))).toEqual(new Set([200, 429]))
  })
})
