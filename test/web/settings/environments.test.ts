import { beforeEach, describe, expect, test } from 'bun:test'
import { emptyDatabase } from '../../support/database.ts'
import { reasonsBeside, valueIn } from '../../support/forms.ts'
import { textOf } from '../../support/markup.ts'
import { type Poster, signUpPoster } from '../../support/people.ts'
import { useService } from '../../support/service.ts'

const service = await useService()

let ada: Poster
beforeEach(async () => {
  await emptyDatabase(service.db)
  ada = await signUpPoster(service, { username: 'ada' })
})

const order = (environments: string) => ada.send('/settings/environment-order', { environments })

const release = (environment: string, version = 'v1', poster = ada) =>
  poster.announced({ message: version, project: 'engine', environment, version })

// biome-ignore lint/suspicious/noExplicitAny: each test reads other members.
const jsonOf = async (asked: Promise<Response>): Promise<any> => await (await asked).json()
const pageOf = async (path: string) => await (await service.fetch(path)).text()
const tagsIn = (markup: string, parent: string) => textOf(markup, `${parent} .tag`)

describe('POST /settings/environment-order', () => {
  test('saves an order, which the form shows again in lower case', async () => {
    const saved = await order(' QA ,dev,, Canary , qa')
    expect([saved.status, saved.headers.get('location')]).toEqual([303, '/settings?done=environments'])
    const page = await (await ada.get('/settings?done=environments')).text()
    expect(valueIn(page, 'environments')).toBe('qa, dev, canary')
    expect(textOf(page, '[role=status]')).toBe('Your order of environments is saved.')
    const { profile } = await jsonOf(ada.get('/settings/export'))
    expect(profile.environment_order).toEqual(['qa', 'dev', 'canary'])
    await order(' ')
    expect(valueIn(await (await ada.get('/settings')).text(), 'environments')).toBe('')
  })

  test('takes up to 50 environments of up to 64 characters, and refuses others with what was typed', async () => {
    const long = 'e'.repeat(64)
    const many = Array.from({ length: 50 }, (_, n) => `e${n}`).join(', ')
    for (const typed of [long, many]) expect((await order(typed)).status).toBe(303)
    for (const [typed, reason] of [
      [`${long}e`, 'has “'],
      [`${many}, one`, 'can have at most 50'],
      ['dev > live', 'has “dev > live”, which is not 1 to 64 characters'],
    ] as const) {
      const refused = await order(typed)
      expect([typed, refused.status]).toEqual([typed, 422])
      const page = await refused.text()
      expect(valueIn(page, 'environments')).toBe(typed)
      expect(reasonsBeside(page, 'environments')).toContain(reason)
    }
    expect(valueIn(await (await ada.get('/settings')).text(), 'environments')).toBe(many)
  })
})

describe('an order of one’s own', () => {
  beforeEach(async () => {
    // In the usual order: dev, qa, production, and canary without a place.
    for (const environment of ['production', 'canary', 'dev', 'qa']) await release(environment)
  })

  test('is that of the board, at once, with what each has that the next one lacks', async () => {
    const board = async () => await pageOf('/ada/-/engine')
    expect(tagsIn(await board(), '.live-in')).toBe('devqaproductioncanary')
    await order('qa, dev, canary, production')
    expect(tagsIn(await board(), '.live-in')).toBe('qadevcanaryproduction')
    await release('canary', 'v2')
    await release('dev-eu', 'v2')
    const page = await board()
    expect(tagsIn(page, '.live-in')).toBe('qadev-eudevcanaryproduction')
    expect(textOf(page, '.ahead summary')).toBe('1 ahead of production')
    await order('')
    expect(tagsIn(await board(), '.live-in')).toBe('dev-eudevqaproductioncanary')
  })

  test('is never mistaken for the end of a name', async () => {
    const name = async (name: string) =>
      expect((await ada.send('/settings/profile', { name })).status).toBe(303)
    const title = async () => textOf(await pageOf('/ada/-/engine'), 'title')
    await name('Ada qa')
    expect(await title()).toContain('Ada qa')
    await name('Ada')
    await order('qa')
    expect(await title()).not.toContain('Ada qa')
  })

  test('is that of the tables, in which several users have the usual one', async () => {
    await order('qa, dev, canary, production')
    const columns = async (path: string) => textOf(await pageOf(path), '.live-where thead .tag')
    expect(await columns('/ada/-/environments')).toBe('qadevcanaryproduction')
    expect(await columns('/environments')).toBe('qadevcanaryproduction')
    await release('dev', 'v1', await signUpPoster(service))
    expect(await columns('/environments')).toBe('devqaproductioncanary')
  })

  test('is that of badges', async () => {
    await order('qa, dev, canary, production')
    const badge = await pageOf('/badge/ada/-/engine.svg?show=environments')
    expect(badge).toContain('qa v1, Fresh')
    expect(badge.match(/(?:qa|dev|canary|production) v1/g)?.slice(0, 4)).toEqual([
      'qa v1',
      'dev v1',
      'canary v1',
      'production v1',
    ])
  })

  test('is the way of a release, which has come to its last place in the end', async () => {
    await order('dev, qa, live-shop')
    await release('live-shop')
    const newest = async () =>
      (await jsonOf(service.fetch('/api/releases?user=ada&target=-/engine'))).releases[0]
    const { stops, lead_time_seconds } = await newest()
    const environments = stops.map((stop: { environment: string }) => stop.environment)
    expect(environments).toEqual(['dev', 'qa', 'live-shop', 'production', 'canary'])
    expect(lead_time_seconds).toBeNumber()
    await order('dev, qa, uat')
    expect((await newest()).lead_time_seconds).toBe(null)
  })

  test('decides what a changelog tells: what came to its last place', async () => {
    await release('production', 'v3')
    await release('canary', 'v2')
    const changelog = async () =>
      textOf(await pageOf('/ada/-/engine/changelog'), 'h2')
        .match(/v\d/g)
        ?.join('')
    expect(await changelog()).toBe('v3v1')
    await order('production, canary')
    expect(await changelog()).toBe('v2v1')
  })

  test('joins the stops of a release in lists', async () => {
    const rows = async () => textOf(await pageOf('/ada'), '.entry .journey')
    await release('qa', 'v7')
    await release('dev', 'v7')
    expect(await rows()).not.toContain('qaafter < 1 mindev')
    await order('qa, dev')
    expect(await rows()).toStartWith('qaafter < 1 mindevproduction')
  })
})
