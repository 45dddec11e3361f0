import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { textBounds } from '../../src/domain/text-bounds.ts'
import { openApi } from '../../src/web/docs/openapi/document.ts'
import { openTestDatabase, query } from '../support/database.ts'
import { elementsOf } from '../support/markup.ts'
import { addedAt } from '../support/openapi.ts'
import { behindProxy, fromNewAddress, type Poster, sameOrigin, signUpPoster } from '../support/people.ts'
import { type Service, startService } from '../support/service.ts'
import { bytesOf, costlyTexts, escapedLengthOf, plainText } from '../support/texts/costly.ts'
import { cpuMeter } from './cpu.ts'

/** A text may take this many times what plain text of its length takes, or `anythingMs`. */
const times = 10
const anythingMs = 0.5
/** A search may look for four times 25 ms, and a password may be hashed. */
const searchOrHashMs = 10
/** Of the 16 KiB that a head may have, and of the 64 KiB of a body. */
const longest = { head: 14_000, body: 60_000 }

const url = 'https://github.com/ada/engine'
let service: Service
let ada: Poster
let cpuMsOf: Awaited<ReturnType<typeof cpuMeter>>

beforeAll(async () => {
  const db = await openTestDatabase()
  service = await startService({ ...behindProxy, OIDC_ISSUERS: 'https://gitlab.example.org' }, db)
  ada = await signUpPoster(service, { username: 'ada' })
  // As many at once as there are connections.
  await Promise.all(Array.from({ length: 40 }, () => ada.announce({ message: 'fix: it', url })))
  cpuMsOf = await cpuMeter(db)
})
afterAll(async () => {
  await service.close()
  await service.db.close()
})

type Ask = (text: string) => Promise<Response>
type Texts = readonly (readonly [what: string, text: string])[]

/** The texts that cost too much there, with their milliseconds and those of plain text. */
async function tooCostly(where: string, ask: Ask, texts: Texts): Promise<string[]> {
  const length = Math.max(...texts.map(([, text]) => text.length))
  const plain = await minCost(ask, plainText(length), 0)
  const found: string[] = []
  for (const [what, text] of texts) found.push(...(await costlier(`${where}, ${what}`, ask, text, plain)))
  return found
}

async function costlier(which: string, ask: Ask, text: string, plain: number): Promise<string[]> {
  const most = times * Math.max(plain, /[?]q=|password/.test(which) ? searchOrHashMs : anythingMs)
  const cost = await minCost(ask, text, most)
  return cost > most ? [`${which}: ${cost.toFixed(1)} ms, and ${plain.toFixed(1)} of plain text`] : []
}

/**
 * The least of up to thirteen tries within five seconds, each wait twice as long as the one before, because other work
 * of this process may go on for seconds on a busy machine.
 */
async function minCost(ask: Ask, text: string, enough: number): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  // Plain text has no cost that is enough, and is tried four times.
  const tries = enough === 0 ? 4 : 13
  for (let time = 0; time < tries && least > enough; time += 1) {
    if (time >= 4) await Bun.sleep(10 * 2 ** (time - 4))
    const cost = await cpuMsOf(async () => {
      const response = await ask(text)
      // A stream has no end.
      if (response.headers.get('content-type')?.startsWith('text/event-stream')) await response.body?.cancel()
      else await response.arrayBuffer()
    })
    least = Math.min(least, cost)
  }
  return least
}

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(service.url + path, { headers: { ...fromNewAddress(), ...headers }, redirect: 'manual' })

/** Stores that many more copies of every deployment. */
async function copyDeployments(times: number): Promise<void> {
  await query(
    service.db,
    sql`
      insert into deployments (user_id, message, url, scopes, target, deployed_at)
      select user_id, message, url, scopes, target, now() from deployments, generate_series(1, ${times}::int)`,
  )
}

/** A page takes the longer to make, the more it lists, which would hide the cost of a parameter. */
async function keepOneDeployment(): Promise<void> {
  await query(service.db, sql`delete from deployments`)
  await ada.announce({ message: 'fix: it', url })
}

const escaped = (text: string) => encodeURIComponent(text.toWellFormed())

describe('No text costs more than ten times what plain text of its length costs', () => {
  test('as the message of what is announced, then shown and looked for', async () => {
    const pages = [
      ...['/', '/?q=login', '/?q=z', '/wall', '/ada', '/ada/github.com/ada/engine', '/feed/live?q=z&after=1'],
      ...['/ada/github.com/ada/engine/changelog', '/ada/github.com/ada/engine/changelog.md'],
      ...['/feed.atom', '/feed.json', '/feed.atom?q=login', '/ada/feed.atom', '/api/deployments?limit=100'],
      ...['/api/deployments?q=login', '/api/deployments/live?after=1', '/settings', '/settings/export'],
    ]
    const plain = new Map<string, number>()
    const found: string[] = []
    const texts = costlyTexts(textBounds.message, bytesOf)
    for (const [what, text] of [['plain', plainText(textBounds.message)] as const, ...texts]) {
      let id = 0
      const announce: Ask = async (message) => {
        const response = await ada.announce({ message, url })
        id = ((await response.clone().json()) as { id: number }).id
        return response
      }
      // A search looks at all there is.
      await query(service.db, sql`delete from deployments`)
      await announce(text)
      await copyDeployments(9)
      const asked = [
        ['announced', announce] as const,
        ...[...pages, `/ada/${id}`].map(
          (page) => [page, () => get(page, { Accept: 'text/html', Cookie: ada.cookie })] as const,
        ),
        // Of another deployment each time, because a picture is drawn only once.
        ['/ada/:id/card.png', (message) => announce(message).then(() => get(`/ada/${id}/card.png`))] as const,
      ] satisfies (readonly [string, Ask])[]
      for (const [page, ask] of asked) {
        const where = page.replace(/\/ada\/\d+/, '/ada/:id')
        if (what === 'plain') plain.set(where, await minCost(ask, text, 0))
        else found.push(...(await costlier(`${where}, ${what}`, ask, text, plain.get(where) ?? 0)))
      }
    }
    expect(found).toEqual([])
  })

  test('as five hundred messages that wait to be indexed, where they are searched', async () => {
    const store = async (text: string) => {
      await query(service.db, sql`delete from deployments`)
      await query(
        service.db,
        sql`
          insert into deployments (user_id, message, scopes, deployed_at)
          select users.id, ${text}::text, array[''], now() from users, generate_series(1, 500)`,
      )
    }
    const ask = () => get('/api/deployments?q=login')
    await store(plainText(textBounds.message))
    const plain = await minCost(ask, '', 0)
    const found: string[] = []
    for (const [what, text] of costlyTexts(textBounds.message, bytesOf)) {
      await store(text)
      found.push(...(await costlier(`?q=login, ${what}`, ask, '', plain)))
    }
    expect(found).toEqual([])
  })

  test('as each field of an announcement', async () => {
    const { Announcement } = openApi({ baseUrl: '', operatorContact: '', perMinute: 60 }).components.schemas
    const found: string[] = []
    for (const [name, schema] of Object.entries(Announcement.properties)) {
      const ask: Ask = (text) => ada.announce({ message: 'fix: it', url, [name]: prefixOf(name) + text })
      for (const most of new Set([lengthIn(schema) ?? longest.body, longest.body])) {
        found.push(...(await tooCostly(`${name} of ${most}`, ask, costlyTexts(most - 20, bytesOf))))
      }
    }
    expect(found).toEqual([])
  })

  test('as a parameter of an address that the OpenAPI document or a page has', async () => {
    const described = Object.entries<Operation>(
      openApi({ baseUrl: '', operatorContact: '', perMinute: 60, added: addedAt(60) }).paths,
    ).flatMap(([path, { get }]) =>
      (get?.parameters ?? [])
        .filter((parameter) => parameter.in === 'query')
        .map(({ name, schema }): Parameter => [path, name, lengthIn(schema)]),
    )
    const names = [...new Set(described.map(([, name]) => name))]
    const ofPages = [
      ...['/', '/wall', '/ada', '/feed/live'].flatMap((path) =>
        names.map((name): Parameter => [path, name, described.find((one) => one[1] === name)?.[2]]),
      ),
      ...[
        ['/ada', 'on'],
        ['/password', 'link'],
        ['/sign-in', 'next'],
        ['/settings', 'done'],
      ].map(([path = '', name = '']): Parameter => [path, name, undefined]),
    ]
    const found: string[] = []
    const known = new Map<number, Texts>()
    await keepOneDeployment()
    for (const [path, name, maxLength = textBounds.link] of [...described, ...ofPages]) {
      const address = path.replace('{username}', 'ada').replace('{file}', 'ada.svg')
      const most = maxLength - prefixOf(name).length
      const texts =
        known.get(most) ?? costlyTexts(most, (text) => Math.max(text.length, escapedLengthOf(text) / 6))
      known.set(most, texts)
      const ask: Ask = (text) =>
        get(`${address}?${name}=${escaped(prefixOf(name) + text)}`, { Accept: 'text/html' })
      found.push(...(await tooCostly(`${address}?${name}=`, ask, texts)))
    }
    expect(found).toEqual([])
  })

  test('as a part of an address', async () => {
    const found: string[] = []
    const texts = costlyTexts(longest.head, escapedLengthOf)
    for (const path of service.paths.filter((path) => /[:*]/.test(path))) {
      for (const part of path.match(/:\w+|\*/g) ?? []) {
        const others = path.replace(part, '\0').replace(/:\w+|\*/g, 'ada')
        const ask: Ask = (text) => get(others.replace('\0', escaped(text)))
        found.push(...(await tooCostly(`${path} as ${part}`, ask, texts)))
      }
    }
    expect(found).toEqual([])
  })

  test('as a header', async () => {
    // What each of these routes reads of a head.
    const routes: readonly (readonly [method: string, path: string, names: readonly string[]])[] = [
      ['GET', '/badge/ada.svg?show=age', ['Accept']],
      ['GET', '/ada', ['Accept', 'Accept-Encoding', 'Cookie', 'If-None-Match', 'X-Request-Id']],
      ['GET', '/sign-in', ['Referer']],
      ['GET', '/feed/live?after=1', ['Last-Event-ID', 'X-Forwarded-For', 'Forwarded', 'X-Real-IP']],
      ['POST', '/sign-in', ['Host', 'Origin', 'Sec-Fetch-Site', 'Content-Type', 'Content-Encoding']],
      ['POST', '/api', ['Authorization', 'Idempotency-Key', 'ce-specversion', 'ce-type', 'ce-id']],
    ]
    const found: string[] = []
    // No header has a line end.
    const texts = costlyTexts(longest.head, bytesOf).filter(([, text]) => !text.includes('\n'))
    for (const [method, path, names] of routes) {
      for (const name of [...names, 'User-Agent']) {
        const body = method === 'POST' ? '{"message":"fix: it"}' : null
        const usual = {
          Accept: 'text/html',
          'Content-Type': 'application/json',
          Authorization: `Bearer ${ada.token}`,
        }
        const ask: Ask = (text) => {
          // The bytes of UTF-8, one character each.
          const value = Buffer.from(prefixOf(name) + text).toString('latin1')
          const headers = { ...fromNewAddress(), ...usual, [name]: value }
          return fetch(service.url + path, { method, body, headers, redirect: 'manual' })
        }
        found.push(...(await tooCostly(`${name} of ${method} ${path}`, ask, texts)))
      }
    }
    expect(found).toEqual([])
  })

  test('as a field of a form', async () => {
    const forms = new Map<string, Set<string>>([['/api/oidc', new Set(['jwt', 'user'])]])
    for (const page of ['/sign-in', '/sign-up', '/settings']) {
      let action = ''
      const response = await get(page, page === '/settings' ? { Cookie: ada.cookie } : {})
      for (const { name, attributes } of elementsOf(await response.text())) {
        if (name === 'form') action = attributes.method === 'post' ? (attributes.action ?? '') : ''
        if (name !== 'input' || action === '' || attributes.name === undefined) continue
        forms.set(action, (forms.get(action) ?? new Set()).add(attributes.name))
      }
    }
    for (const action of ['/sign-in', '/sign-up', '/settings/publishers'])
      expect([...forms.keys()]).toContain(action)
    const found: string[] = []
    const texts = costlyTexts(longest.body, escapedLengthOf)
    for (const [action, names] of forms) {
      for (const name of names) {
        const ask: Ask = (text) => {
          const fields = Object.fromEntries([...names].map((one) => [one, one === name ? text : 'made up']))
          const headers = { ...sameOrigin, ...fromNewAddress(), Cookie: ada.cookie }
          const body = new URLSearchParams(fields)
          return fetch(service.url + action, { method: 'POST', body, headers, redirect: 'manual' })
        }
        found.push(...(await tooCostly(`${name} of ${action}`, ask, texts)))
      }
    }
    expect(found).toEqual([])
  })
})

type Parameter = [path: string, name: string, maxLength: number | undefined]
type Described = { in: string; name: string; schema?: object }
type Operation = {
  [method: string]: unknown
  get?: { operationId: string; parameters?: readonly Described[] }
}

/** How long a schema lets a text be; nothing where it does not say. */
function lengthIn(schema: object = {}): number | undefined {
  const { maxLength, oneOf } = schema as { maxLength?: number; oneOf?: readonly object[] }
  return maxLength ?? oneOf?.map(lengthIn).find((length) => length !== undefined)
}

/** Without this prefix, the text would be refused before it is read. */
function prefixOf(name: string): string {
  const prefixes: Readonly<Record<string, string>> = {
    url: 'https://',
    target: 'a.bc/',
    Authorization: 'Bearer ',
    Origin: 'https://',
    Referer: 'https://',
  }
  return prefixes[name] ?? ''
}
