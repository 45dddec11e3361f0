import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { restoreDump } from '../../../src/capabilities/backups/restore.ts'
import { tables } from '../../../src/table-uses.ts'
import { addImport } from '../../support/api.ts'
import { dumpedTables, openTestDatabase, query } from '../../support/database.ts'
import { dumpOf, opened, streamOf } from '../../support/dump/dumps.ts'
import { contentsOf } from '../../support/dump/rows.ts'
import { eventually } from '../../support/eventually.ts'
import {
  forgejoRun,
  githubDeployment,
  githubRelease,
  gitlabDeployment,
} from '../../support/intake/deliveries.ts'
import { deliver, madeIntake } from '../../support/intake/intakes.ts'
import { addToken, makeReadKey, signIn, signUp, signUpPoster } from '../../support/people.ts'
import { startService } from '../../support/service.ts'
import { receiver } from '../../support/webhooks/receiver.ts'

const issuer = 'https://ci.example'
const settings = {
  VISIBILITY: 'members',
  WEBHOOKS: 'any',
  REPORTS: 'on',
  RATE_LIMIT_PER_MINUTE: '20',
  OIDC_ISSUERS: issuer,
}
const escapes = '\u0001\u001b\u009b\u202e"\\<é🚀'
const path = '%C3%A9"|^'.repeat(200)
const targets = Array.from(
  { length: 50 },
  (_, n) => `https://${'a.'.repeat(100)}example/${n}/${'é'.repeat(40)}`,
)
const environments = Array.from({ length: 50 }, (_, n) => `${n}-`.padEnd(64, 'E'))

test('Whatever forms, calls and forges are allowed to store, in its longest and strangest form, is restored', async () => {
  await using one = await opened(openTestDatabase())
  await using service = await startService(settings, one.db)
  await using hook = receiver()
  const ada = await signUpPoster(service, {
    username: 'a'.repeat(39),
    name: `${'🚀'.repeat(55)}é\u0301\u0301`,
  })
  const browser = { 'User-Agent': `${'\u009b\u00ff'.repeat(200)}` }
  await signIn(
    { fetch: (at, init) => service.fetch(at, { ...init, headers: { ...init?.headers, ...browser } }) },
    ada,
  )

  const longest = {
    message: escapes.repeat(200).slice(0, 1_400),
    url: `https://${'b.'.repeat(100)}example:8443/${path}`.slice(0, 2_048),
    environment: 'E'.repeat(64),
    version: '🚀'.repeat(128),
    commit: 'F'.repeat(64),
    project: `${'P'.repeat(98)}/@`,
    actor: '🚀'.repeat(60),
    environment_url: `https://a.example/${'a'.repeat(2_030)}`,
  }
  const id = await ada.announced(longest, { 'Idempotency-Key': '~'.repeat(255) })
  await ada.announced({ message: 'm'.repeat(4_096), url: 'git@github.com:ada/engine.git' })
  await ada.announced({ message: 'Joined', project: 'motor' })
  expect((await ada.send('/settings/projects', { spelling: '-/motor', target: '-/engine' })).status).toBe(303)
  const withdrawn = await ada.announced({ message: 'Gone' })
  await ada.send(`/${ada.username}/${withdrawn}/delete`, {})
  const history = { ...longest, deployed_at: '2020-01-01T00:00:00Z' }
  const items = [history, { ...history, key: `k\t\n${'é'.repeat(250)}` }]
  expect(await addImport(service, ada, items)).toMatchObject({ added: 2 })
  const grace = await signUp(service)
  const reported = await grace.send(`/${ada.username}/${id}/report`, {
    reason: 'other',
    text: '🚀'.repeat(500),
  })
  expect(reported.status).toBe(303)

  const ordered = { environments: environments.join(', ') }
  expect((await ada.send('/settings/environment-order', ordered)).status).toBe(303)
  const bounds = { targets: targets.join(', '), ...ordered }
  const { token } = await addToken(ada, { name: '漢'.repeat(40), ends: '2099-01-01', ...bounds })
  await service.fetch('/api', {
    method: 'POST',
    body: new URLSearchParams({ message: 'x', url: `https://${'c.'.repeat(100)}example/` }),
    headers: { Authorization: `Bearer ${token}` },
  })
  await makeReadKey(ada)
  const publisher = { issuer, repository: `project:acme:${'~'.repeat(242)}`, workflow: '', environment: '' }
  expect((await ada.send('/settings/publishers', publisher)).status).toBe(303)

  for (const fields of [
    { url: `${hook.url}?${'é'.repeat(600)}`, ...bounds, feature: 'on', withdrawals: 'on' },
    { url: `${hook.url}/slack`, format: 'slack' },
    {
      url: new URL('/_matrix/client/v3/rooms/1/send/m.room.message', hook.url).href,
      format: 'matrix',
      token: '~'.repeat(500),
    },
  ]) {
    const added = await ada.send('/settings/webhooks', fields)
    expect(added.status).toBe(303)
    const at = added.headers.get('location')
    await ada.send(`${at}/test`, {})
    await ada.send(`${at}/roll`, {})
  }
  for (const [kind, delivery] of [
    ['github', githubDeployment({ environment: escapes.repeat(30), title: escapes.repeat(300) })],
    ['github', githubRelease({ name: escapes.repeat(300) })],
    ['gitlab', gitlabDeployment()],
    ['forgejo', forgejoRun()],
  ] as const) {
    const workflows = Array.from({ length: 50 }, (_, n) => `${n}`.padEnd(100, 'w')).join(',')
    const intake = await madeIntake(ada, kind, {
      environments: kind === 'forgejo' ? '' : '',
      workflows,
      transient: 'on',
    })
    await deliver(service, intake, delivery)
  }
  const crowded = await madeIntake(ada, 'github')
  for (let n = 0; n < 20; n += 1)
    await deliver(service, crowded, githubRelease({ id: 1_000 + n, name: escapes.repeat(100) }))
  const waiting = await query(one.db, sql`select from intake_calls where waiting is not null`)
  expect(waiting.length).toBeGreaterThan(0)

  const emptied = ['retired_usernames', 'used_jtis', 'password_links']
  await eventually('every table has rows', async () => {
    const contents = await contentsOf(one.db)
    const empty = dumpedTables.filter((name) => contents[name]?.rows === 0 && !emptied.includes(name))
    return empty.length === 0
  })
  await service.close()

  let [dump, contents] = [await dumpOf(one.db), await contentsOf(one.db)]
  // A webhook whose message was under way at the close notes it a moment later.
  await eventually('nothing is written any more', async () => {
    const before = contents
    dump = await dumpOf(one.db)
    contents = await contentsOf(one.db)
    return Bun.deepEquals(contents, before)
  })
  await using other = await opened(openTestDatabase())
  await restoreDump(other.db, tables, streamOf(dump), { isMove: true })
  expect(await contentsOf(other.db)).toEqual(contents)
}, 300_000)
