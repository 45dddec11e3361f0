import { beforeEach, describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { query } from '../support/database.ts'
import { elementsOf, textOf } from '../support/markup.ts'
import type { Poster } from '../support/people.ts'
import { sameOrigin, signUp, signUpPoster } from '../support/people.ts'
import { startService, useService } from '../support/service.ts'

let ada: Poster
const service = await useService({ RATE_LIMIT_PER_MINUTE: '2' })
const other = await signUpPoster(service)
beforeEach(async () => {
  ada = await signUpPoster(service, { name: 'Ada "the Countess"' })
})

async function announce(fields: Record<string, unknown>, headers = {}): Promise<number> {
  return await ada.announced(fields, headers)
}

/** Lets some hours go by for what the poster has just deployed. */
async function letGoBy(hours: number): Promise<void> {
  const owner = sql`user_id = (select id from users where username = ${ada.username})`
  const then = sql`now() - make_interval(hours => ${hours})`
  await query(
    service.db,
    sql`update deployments set deployed_at = ${then} where id = (select max(id) from deployments where ${owner})`,
  )
  await query(service.db, sql`update latest_deployments set deployed_at = ${then} where ${owner}`)
}

async function badge(filter = ''): Promise<string> {
  const path = `/badge/${ada.username}.json?url=${encodeURIComponent(filter)}`
  return ((await (await service.fetch(path)).json()) as { message: string }).message
}

describe('GET /<username>/<id>', () => {
  test('is where Location points, and shows the whole deployment', async () => {
    const response = await ada.announce({ message: 'fix: <i>one</i>\n  two', url: 'https://example.com/1' })
    const location = response.headers.get('location') ?? ''
    const { id } = (await response.json()) as { id: number }
    expect(location).toBe(`http://shipfeed.test/${ada.username}/${id}`)
    const shown = await service.fetch(new URL(location).pathname)
    expect(shown.status).toBe(200)
    const page = await shown.text()
    expect([textOf(page, 'title'), textOf(page, 'h1')]).toEqual([
      'fix: <i>one</i> · Shipfeed',
      'fix: <i>one</i>',
    ])
    expect(textOf(page, '.prose').trim()).toBe('two')
    expect(textOf(page, '.who-and-when .quiet')).toBe('Ada "the Countess"')
    expect(textOf(page, '.who-and-when .project')).toBe('example.com')
    expect(textOf(page, '.category')).toBe('bug fix')
    expect(textOf(page, '.to-link')).toBe('example.com/1')
    expect(textOf(page, '#permalink')).toBe(location)
    expect(textOf(page, '#embed h2')).toBe('Badge for example.com')
    expect(textOf(page, 'article time')).toStartWith('just now')
  })

  test('describes itself to those who show a preview, whatever the text', async () => {
    const id = await announce({ message: `"><script>\n${'é'.repeat(300)}` })
    const page = await (await service.fetch(`/${ada.username}/${id}`)).text()
    const metas = elementsOf(page).filter(({ name }) => name === 'meta')
    const content = (property: string) =>
      metas.find(({ attributes }) => attributes.property === property)?.attributes.content
    const address = `http://shipfeed.test/${ada.username}/${id}`
    expect(content('og:title')).toBe('"><script>')
    expect([content('og:image'), content('og:image:alt')]).toEqual([`${address}/card.png`, '"><script>'])
    expect([content('og:image:width'), content('og:image:height')]).toEqual(['1200', '630'])
    expect([content('og:type'), content('og:site_name')]).toEqual(['article', 'Shipfeed'])
    const names = metas.map(({ attributes }) => [attributes.name, attributes.content])
    expect(names).toContainEqual(['twitter:card', 'summary_large_image'])
    expect(content('og:url')).toBe(address)
    expect(content('og:description')).toMatch(/^Ada "the Countess" deployed this on \d+ \w+ \d{4}\. é+…$/)
    expect(page).toContain(`<link rel="canonical" href="${address}"`)
  })

  test('leads to the deployments before and after it of its project; without a link, to any of its poster', async () => {
    await using unlimited = await startService()
    ada = await signUpPoster(unlimited)
    const ofEngine = (message: string) => announce({ message, url: 'https://github.com/ada/engine/pull/7' })
    const ids = [
      await ofEngine('engine one'),
      await announce({ message: 'no link one' }),
      await announce({ message: 'notes', url: 'https://github.com/ada/notes' }),
      await ofEngine('engine two'),
    ]
    await other.announce({ message: 'of another', url: 'https://github.com/ada/engine' })
    ids.push(await ofEngine('engine three'), await announce({ message: 'no link two' }))
    const neighbours = async (n: number) => {
      const page = await (await service.fetch(`/${ada.username}/${ids[n]}`)).text()
      const rels = elementsOf(page).filter(({ attributes }) => /^(prev|next)$/.test(attributes.rel ?? ''))
      return rels.map(({ attributes: { rel, href } }) => [rel, ids.indexOf(Number(href?.split('/')[2]))])
    }
    expect(await neighbours(0)).toEqual([['next', 3]])
    expect(await neighbours(3)).toEqual([
      ['prev', 0],
      ['next', 4],
    ])
    expect(await neighbours(4)).toEqual([['prev', 3]])
    expect(await neighbours(1)).toEqual([
      ['prev', 0],
      ['next', 2],
    ])
    expect(await neighbours(5)).toEqual([['prev', 4]])
    expect(await neighbours(2)).toEqual([])
  })

  test('offers to withdraw to its owner alone', async () => {
    const path = `/${ada.username}/${await announce({ message: 'x' })}`
    const forms = async (page: Promise<Response>) =>
      elementsOf(await (await page).text()).filter(({ attributes }) => attributes.action === `${path}/delete`)
    expect(await forms(ada.get(path))).toEqual([
      { name: 'form', attributes: { class: 'stack', method: 'post', action: `${path}/delete` } },
    ])
    expect(await forms(other.get(path))).toEqual([])
    expect(await forms(service.fetch(path))).toEqual([])
  })

  test('takes the name in any case, and is 404 for every other pair of name and id', async () => {
    const id = await announce({ message: 'x' })
    expect((await service.fetch(`/${ada.username.toUpperCase()}/${id}`)).status).toBe(200)
    const wrong = [
      ...[`/${other.username}/${id}`, `/nobody-at-all/${id}`, `/${ada.username}/${id + 1_000_000}`],
      ...[`/${ada.username}/0${id}`, `/${ada.username}/${id}.0`, `/${ada.username}/-${id}`],
      ...[`/${ada.username}/1e3`, `/${ada.username}/9999999999999999999`, `/${ada.username}/%00`],
      `/%00/${id}`,
    ]
    for (const path of wrong) {
      const response = await service.fetch(path)
      expect([path, response.status]).toEqual([path, 404])
      expect(textOf(await response.text(), 'h1')).toBe('There is nothing here')
    }
  })
})

describe('POST /<username>/<id>/delete', () => {
  const withdraw = (id: number, by: { send: Poster['send'] } = ada) =>
    by.send(`/${ada.username}/${id}/delete`, {})

  test('by the owner takes it off every page, and answers 303', async () => {
    const kept = await announce({ message: 'Kept' })
    const id = await announce({ message: 'Withdrawn' })
    const response = await withdraw(id)
    expect(response.status).toBe(303)
    expect(response.headers.get('location')).toBe(`/${ada.username}?done=withdrawn`)
    const words = 'Deployment withdrawn.'
    const path = response.headers.get('location') ?? ''
    expect(await (await ada.get(path)).text()).toContain(words)
    expect(await (await service.fetch(path)).text()).not.toContain(words)
    expect((await service.fetch(`/${ada.username}/${id}`)).status).toBe(404)
    expect((await service.fetch(`/${ada.username}/${kept}`)).status).toBe(200)
    const profile = await (await service.fetch(`/${ada.username}`)).text()
    expect(textOf(profile, '.subject')).toBe('Kept')
    expect(await (await service.fetch('/')).text()).not.toContain(`deployment-${id}"`)
  })

  test('sets the badge of every scope back to the deployment before it', async () => {
    await announce({ message: 'First', url: 'https://example.com/a' })
    const id = await announce({ message: 'Second', url: 'https://app.example.com/a/b' })
    const left = ['', 'example.com', 'example.com/a']
    const gone = ['app.example.com', 'app.example.com/a', 'app.example.com/a/b']
    expect(await Promise.all([...left, ...gone].map(badge))).toEqual([...left, ...gone].map(() => 'Fresh'))
    await withdraw(id)
    expect(await Promise.all(left.map(badge))).toEqual(left.map(() => 'Fresh'))
    expect(await Promise.all(gone.map(badge))).toEqual(gone.map(() => 'Inactive'))
  })

  test('sets it back to the latest that is left, and to its time', async () => {
    for (const hours of [960, 48]) {
      await announce({ message: `${hours} hours old`, url: 'https://example.com' })
      await letGoBy(hours)
    }
    const id = await announce({ message: 'New', url: 'https://example.com' })
    await withdraw(id)
    expect([await badge(), await badge('example.com')]).toEqual(['Active', 'Active'])
  })

  test('of the only one makes the badge Inactive, and of an older one changes nothing', async () => {
    const older = await announce({ message: 'Older', url: 'https://example.com' })
    const newer = await announce({ message: 'Newer' })
    await withdraw(older)
    expect([await badge(), await badge('example.com')]).toEqual(['Fresh', 'Inactive'])
    await withdraw(newer)
    expect(await badge()).toBe('Inactive')
  })

  test('frees its key for another payload, and gives no place in the rate back', async () => {
    const key = { 'Idempotency-Key': 'deploy-1' }
    const id = await announce({ message: 'Wrong text' }, key)
    await withdraw(id)
    const again = await announce({ message: 'Right text' }, key)
    expect(again).toBeGreaterThan(id)
    const third = await ada.announce({ message: 'Third' })
    expect(third.status).toBe(429)
    expect(Number(third.headers.get('retry-after'))).toBeWithin(1, 61)
  })

  test('by anybody else is refused, and withdraws nothing', async () => {
    const id = await announce({ message: 'x' })
    expect((await withdraw(id, other)).status).toBe(403)
    const anonymous = await service.fetch(`/${ada.username}/${id}/delete`, {
      method: 'POST',
      headers: sameOrigin,
    })
    expect(anonymous.status).toBe(303)
    expect(anonymous.headers.get('location')).toBe('/sign-in')
    const crossSite = await ada.send(`/${ada.username}/${id}/delete`, {}, { 'Sec-Fetch-Site': 'cross-site' })
    expect(crossSite.status).toBe(403)
    const byToken = await service.fetch(`/${ada.username}/${id}/delete`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${ada.token}`, ...sameOrigin },
    })
    expect(byToken.headers.get('location')).toBe('/sign-in')
    expect((await service.fetch(`/${ada.username}/${id}`)).status).toBe(200)
  })

  test('under the owner’s own name does not withdraw what is another’s', async () => {
    const id = await announce({ message: 'x' })
    expect((await other.send(`/${other.username}/${id}/delete`, {})).status).toBe(404)
    expect((await service.fetch(`/${ada.username}/${id}`)).status).toBe(200)
  })

  test('of an unknown one is 404, and so is the second of two at the same time or later', async () => {
    expect((await withdraw(999_999_999)).status).toBe(404)
    const id = await announce({ message: 'x' })
    const twins = await Promise.all(Array.from({ length: 10 }, () => withdraw(id)))
    for (const { status } of twins) expect([303, 404]).toContain(status)
    expect(twins.map(({ status }) => status)).toContain(303)
    expect((await withdraw(id)).status).toBe(404)
    expect(await badge()).toBe('Inactive')
  })

  test('by a new user, without any deployment, is 404', async () => {
    const newcomer = await signUp(service)
    expect((await newcomer.send(`/${newcomer.username}/1/delete`, {})).status).toBe(404)
  })
})
