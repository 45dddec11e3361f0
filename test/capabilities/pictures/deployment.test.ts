import { describe, expect, test } from 'bun:test'
import { DeploymentCard } from '../../../src/capabilities/pictures/deployment-card.tsx'
import { drawing } from '../../../src/capabilities/pictures/parts.tsx'
import { etagOf } from '../../../src/http/responses.ts'
import { passMidnight } from '../../support/eventually.ts'
import { behindProxy, fromNewAddress, signUpPoster } from '../../support/people.ts'
import type { Picture } from '../../support/png.ts'
import { decodePng } from '../../support/png.ts'
import { startService, useService } from '../../support/service.ts'

const service = await useService(behindProxy)
const ada = await signUpPoster(service, { name: 'Ada Lovelace' })

async function announce(message: string, url?: string): Promise<number> {
  return await ada.announced(url === undefined ? { message } : { message, url })
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

  test.each([
    ['the project', '修复了一个错误', 'https://ada.dev', 'ada.dev'],
    [
      'its name as people write it',
      'エラーを修正',
      'https://xn--bcher-kva.example/%C3%A9t%C3%A9%20x',
      'bücher.example/été x',
    ],
    ['who deployed, without a link', '🚀 — 1️⃣', undefined, `@${ada.username} deployed`],
    [
      'who deployed, where the link lacks letters too',
      'إصلاح',
      'https://xn--r8jz45g.jp',
      `@${ada.username} deployed`,
    ],
    [
      'who deployed, where a host is in disguise',
      '修复',
      'https://xn--80ak6aa92e.com',
      `@${ada.username} deployed`,
    ],
    ['who deployed, where the path is no text', '修复', 'https://ada.dev/%ff', `@${ada.username} deployed`],
  ])('says %s where the font lacks letters of the subject', async (_, message, url, said) => {
    // Both tell the day.
    await passMidnight()
    const [lacking, other] = [await picture(message, url), await picture(said, url)]
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

  test('has another number in its ETag whenever it looks different', () => {
    const poster = { id: 1, username: 'ada', name: 'Ada' }
    const deployment = { id: 1, message: 'feat(ui): été', url: null, category: 'feature', poster } as const
    const svg = DeploymentCard({
      deployment: { ...deployment, deployedAt: new Date('2026-11-22T12:00Z') },
      target: 'github.com/ada/engine',
      days: [{ day: 20_779, deployments: 3 }],
    })
    expect([drawing, etagOf(String(svg))]).toEqual([3, 'W/"2sm56nykfy7w2"'])
  })

  test('is public, kept for an hour, and 304 for a client that has it', async () => {
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
  test('of one picture draws it once, and of many is asked to retry later, while badges go on', async () => {
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
    const known = { ...fromNewAddress(), 'If-None-Match': alike[0]?.headers.get('etag') ?? '' }
    expect((await ask(ids[0] ?? 0, known)).status).toBe(304)
    const statuses = (await different).map(({ status }) => status)
    expect(statuses.filter((status) => status === 200).length).toBeWithin(16, 40)
    const refused = (await different).find(({ status }) => status === 503)
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0)

    const address = fromNewAddress()
    const ofOne = await Promise.all(ids.slice(20).map((id) => ask(id, address)))
    expect(new Set(ofOne.map(({ status }) => status))).toEqual(new Set([200, 429]))
  })
})
