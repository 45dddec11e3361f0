import { type Body, json, post } from './api.ts'
import { textOf } from './markup.ts'
import type { Service } from './service.ts'

/** What a browser of ours sends with a form. */
export const sameOrigin = { 'Sec-Fetch-Site': 'same-origin' }

export const password = 'correct horse battery'

/** All that people need of a service. */
type Door = Pick<Service, 'fetch'>

/** Somebody with an account, a browser that is signed in and, once generated, a token. */
export type Person = {
  readonly username: string
  readonly name: string
  readonly cookie: string
  /** The cookie by which their browser is known when they are signed out. */
  readonly device: string
  /** Gets a page in their browser. */
  get(path: string, headers?: Record<string, string>): Promise<Response>
  /** Sends a form in their browser. */
  send(path: string, fields: Record<string, string>, headers?: Record<string, string>): Promise<Response>
}

export type Poster = Person & {
  readonly token: string
  /** Calls POST /api with the token. */
  post(body: Body, headers?: Record<string, string>): Promise<Response>
  /** Announces by JSON, as a pipeline. */
  announce(fields: Record<string, unknown>, headers?: Record<string, string>): Promise<Response>
  /** Announces by JSON, and gives the id of the deployment; throws where the answer is not 201. */
  announced(fields: Record<string, unknown>, headers?: Record<string, string>): Promise<number>
}

let count = 0

/** Signs somebody up, with a username of their own unless one is given. */
export async function signUp(
  service: Door,
  account: { username?: string; name?: string } = {},
): Promise<Person> {
  count += 1
  const { username = `person-${count}`, name = `Person ${count}` } = account
  const body = new URLSearchParams({ username, name, password })
  const response = await service.fetch('/sign-up', { method: 'POST', body, headers: sameOrigin })
  if (response.status !== 303)
    throw new Error(`Cannot sign up "${username}": ${textOf(await response.text(), 'main')}`)
  return personWith(service, { username, name, cookie: cookieOf(response), device: cookieOf(response, 1) })
}

/** Signs somebody up and generates their token. */
export async function signUpPoster(
  service: Door,
  account: { username?: string; name?: string } = {},
): Promise<Poster> {
  const person = await signUp(service, account)
  const token = await rollToken(person)
  const announce: Poster['announce'] = (fields, headers) => post(service, token, json(fields), headers)
  return {
    ...person,
    token,
    post: (body, headers) => post(service, token, body, headers),
    announce,
    async announced(fields, headers) {
      const response = await announce(fields, headers)
      if (response.status !== 201)
        throw new Error(`The announcement was refused: ${response.status} ${await response.text()}`)
      return ((await response.json()) as { id: number }).id
    },
  }
}

/** Generates or rolls somebody's token, as their browser does: the form, then the page that shows it once. */
export async function rollToken(person: Person, fields: Record<string, string> = {}): Promise<string> {
  const rolled = await person.send('/settings/token', fields)
  const page = await person.get('/settings', { Cookie: `${person.cookie}; ${cookieOf(rolled)}` })
  const [token] = (await page.text()).match(/ship_[0-9A-Za-z]{36}/) ?? []
  if (token === undefined) throw new Error('The settings page does not show the new token')
  return token
}

/** Adds a token by the form, that may announce unless the fields say otherwise; its page shows it once. */
export async function addToken(
  person: Person,
  fields: Record<string, string>,
): Promise<{ readonly id: string; readonly token: string }> {
  const added = await person.send('/settings/tokens', { announce: 'on', ...fields })
  if (added.status !== 303)
    throw new Error(`The token was not added: ${textOf(await added.text(), '.reasons')}`)
  const page = await person.get('/settings/tokens', { Cookie: `${person.cookie}; ${cookieOf(added)}` })
  const markup = await page.text()
  const [token = ''] = markup.match(/ship_[0-9A-Za-z]{36}/) ?? []
  const [, id = ''] =
    new RegExp(`id="token-(\\d+)">(?:(?!</li>).)*ship_…${token.slice(-4)}`, 's').exec(markup) ?? []
  return { id, token }
}

/** Makes or rolls somebody's read key, as their browser does. */
export async function makeReadKey(person: Pick<Person, 'cookie' | 'get' | 'send'>): Promise<string> {
  const made = await person.send('/settings/read-key', {})
  const page = await person.get('/settings', { Cookie: `${person.cookie}; ${cookieOf(made)}` })
  const [key] = (await page.text()).match(/read_[0-9A-Za-z]{36}/) ?? []
  if (key === undefined) throw new Error('The settings page does not show the new read key')
  return key
}

/** Signs somebody in again, in another browser. */
export async function signIn(
  service: Door,
  { username, name }: Pick<Person, 'username' | 'name'>,
  secret = password,
): Promise<Person> {
  const body = new URLSearchParams({ username, password: secret })
  const response = await service.fetch('/sign-in', { method: 'POST', body, headers: sameOrigin })
  if (response.status !== 303)
    throw new Error(`Cannot sign in "${username}": ${textOf(await response.text(), 'main')}`)
  return personWith(service, { username, name, cookie: cookieOf(response), device: cookieOf(response, 1) })
}

/** The cookie that an answer sets, as a browser sends it back. */
export function cookieOf(response: Response, n = 0): string {
  const [pair = ''] = (response.headers.getSetCookie()[n] ?? '').split(';')
  return pair
}

function personWith(service: Door, who: Pick<Person, 'username' | 'name' | 'cookie' | 'device'>): Person {
  return {
    ...who,
    get: (path, headers = {}) => service.fetch(path, { headers: { Cookie: who.cookie, ...headers } }),
    send: (path, fields, headers = {}) =>
      service.fetch(path, {
        method: 'POST',
        body: new URLSearchParams(fields),
        headers: { Cookie: who.cookie, ...sameOrigin, ...headers },
      }),
  }
}

/** With this in the environment a test chooses the address that its requests come from. */
export const behindProxy = { TRUSTED_PROXIES: '127.0.0.1' }

let addresses = 0

/** The header of a request from an address that no test has used, so that throttles do not mix. */
export function fromNewAddress(): Record<string, string> {
  addresses += 1
  return { 'X-Forwarded-For': `10.0.${Math.floor(addresses / 250)}.${(addresses % 250) + 1}` }
}
