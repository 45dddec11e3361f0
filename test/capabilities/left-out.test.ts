import { afterAll, describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { restoreDump } from '../../src/capabilities/backups/restore.ts'
import { capabilities } from '../../src/capabilities.ts'
import type { Capability } from '../../src/capability.ts'
import { commandsOf } from '../../src/commands/all-commands.ts'
import { partOfReference } from '../../src/commands/reference.ts'
import { deleteUser } from '../../src/data/account/deletion.ts'
import { tables } from '../../src/table-uses.ts'
import { configurationOf } from '../support/configuration.ts'
import { openTestDatabase, query } from '../support/database.ts'
import { dumpOf, opened, streamOf } from '../support/dump/dumps.ts'
import { signUpPoster } from '../support/people.ts'
import { leaveSharedDatabase, type Service, startService } from '../support/service.ts'
import { webhookOf } from '../support/webhooks/receiver.ts'

/** Settings that switch on what can be switched on together. */
const on = {
  WEBHOOKS: 'any',
  REPORTS: 'on',
  MCP: 'read',
  OIDC_ISSUERS: 'https://gitlab.com',
  METRICS_PORT: '0',
  PRUNE_AFTER: '36500',
}
const whole = await startService(on)
afterAll(async () => {
  await whole.close()
  await leaveSharedDatabase()
})
const ada = await signUpPoster(whole)
/** Has not announced yet, and sees the steps to the first deployment. */
const eve = await signUpPoster(whole)

const without = (left: Capability) => capabilities.filter((capability) => capability !== left)

/** Each operation, and each of its parameters. */
const operationsOf = async (service: Service) => {
  type Operation = { readonly parameters?: readonly { readonly name: string }[] }
  const { paths } = (await (await service.fetch('/openapi.json')).json()) as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  }
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { parameters = [] }]) => [
      `${method} ${path}`,
      ...parameters.map(({ name }) => `${method} ${path} ?${name}`),
    ]),
  )
}
const headingsOf = async (service: Service) => {
  const page = await (await service.fetch('/docs')).text()
  return [...page.matchAll(/<a href="#([\w-]+)">/g)].map(([, id = '']) => id)
}
const missing = <One>(all: readonly One[], rest: readonly One[]) => all.filter((one) => !rest.includes(one))

/** An address of a route, with a value for each of its parameters. */
const addressOf = (route: string) => route.replaceAll(/:[a-z]+|\*/gi, 'x1')

describe.each(capabilities.map((capability) => [capability.name, capability] as const))(
  'without %s',
  (name, left) => {
    test('its addresses are not found, and the rest works', async () => {
      await using service = await startService(on, null, 0, without(left))
      const gone = missing(whole.paths, service.paths)
      expect(missing(service.paths, whole.paths)).toEqual([])
      for (const route of gone) {
        const { status } = await fetch(service.url + addressOf(route), { headers: { cookie: ada.cookie } })
        expect([route, status]).toEqual([route, 404])
      }
      const id = await ada.announced({ message: `Without ${name}`, url: 'https://github.com/ada/engine' })
      for (const path of ['/', `/${ada.username}`, `/${ada.username}/${id}`, '/docs', '/settings'])
        expect([path, (await service.fetch(path, { headers: { cookie: ada.cookie } })).status]).toEqual([
          path,
          200,
        ])
      expect(await (await service.fetch(`/badge/${ada.username}.svg`)).text()).toContain('Fresh')
    })

    test('no page, document or list of the operator has a trace of it', async () => {
      await using service = await startService(on, null, 0, without(left))
      const gone = missing(whole.paths, service.paths)
      const operations = missing(await operationsOf(whole), await operationsOf(service))
      const headings = missing(await headingsOf(whole), await headingsOf(service))
      const reference = partOfReference(without(left), 'reference') ?? ''
      const named = [
        ...Object.keys(left.variables ?? {}),
        ...Object.keys(left.metrics ?? {}),
        ...(left.commands ?? []).map((command) => command.name),
      ]
      const commands = commandsOf(without(left)).map((command) => command.name)
      expect(
        named.filter((word) => reference.includes(`\n| \`${word}\``) || commands.includes(word)),
      ).toEqual([])
      const pages = [
        '/',
        `/${ada.username}`,
        '/settings',
        '/docs',
        ...(name === 'search' ? [] : ['/?q=without']),
      ]
      const fixed = gone.filter((route) => !/[:*]/.test(route))
      for (const path of pages) {
        for (const { cookie } of [ada, eve]) {
          const page = await (await service.fetch(path, { headers: { cookie } })).text()
          expect([path, fixed.filter((route) => page.includes(route))]).toEqual([path, []])
        }
      }
      const found = [
        ...gone.map((route) => `route ${route}`),
        ...operations,
        ...headings.map((id) => `docs #${id}`),
      ]
      expect([name, [...found, ...named].length > 0]).toEqual([name, true])
    })
  },
)

test('without any of them, a database with the rows of all is dumped, restored and deleted from', async () => {
  const bob = await signUpPoster(whole)
  await bob.announced({ message: 'One' })
  const id = sql`(select id from users where username = ${bob.username})`
  await webhookOf(whole, bob, 'https://example.com/hook')
  await query(
    whole.db,
    sql`insert into read_keys (user_id, hash, last_four) values (${id}, ${'a'.repeat(64)}, 'abcd')`,
  )
  await using copy = await opened(openTestDatabase())
  await restoreDump(copy.db, tables, streamOf(await dumpOf(whole.db)))
  await using service = await startService({}, copy.db, 0, [])
  expect((await service.fetch(`/${bob.username}`)).status).toBe(200)
  const [{ user_id } = { user_id: 0 }] = await query<{ user_id: number }>(
    copy.db,
    sql`select id as user_id from users where username = ${bob.username}`,
  )
  await deleteUser(copy.db, tables, user_id)
  const rows = await query<{ count: number }>(
    copy.db,
    sql`select (select count(*) from webhooks where user_id = ${user_id})::int
      + (select count(*) from read_keys where user_id = ${user_id})::int as count`,
  )
  expect(rows).toEqual([{ count: 0 }])
})

test('settings that are read by nobody change nothing', () => {
  expect(configurationOf({ ...on }, []).configured).toEqual([])
})
