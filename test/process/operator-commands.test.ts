import { afterAll, expect, test } from 'bun:test'
import postgres from 'postgres'
import { databaseForProcess } from '../support/database.ts'
import { passMidnight, untilReady } from '../support/eventually.ts'
import { openEventSource } from '../support/live/event-source.ts'
import { signIn, signUp, signUpPoster } from '../support/people.ts'
import { doorOf, endOf, startProcess, temporaryDirectory } from '../support/process.ts'

const directory = temporaryDirectory()
afterAll(directory.remove)

/** As an operator may have changed it by hand. */
const hostile = 'Ada \u001b]0;owned\u0007\u009b31m\u202e\u2066\r'

test('no command prints what a terminal obeys, or what turns a text around', async () => {
  const { environment, drop } = await databaseForProcess()
  const service = startProcess(environment)
  const door = doorOf(await service.url)
  await untilReady(door)
  const ada = await signUpPoster(door, { name: 'Ada' })
  const ids = [await ada.announced({ message: hostile }), await ada.announced({ message: hostile })]
  const client = postgres(environment.DATABASE_URL ?? '', { max: 1 })
  await client`update users set name = ${hostile}`
  await client`insert into reports (deployment_id, reason, text) select id, 'spam', ${hostile} from deployments`
  await client.end()

  const { username } = ada
  for (const words of [
    ['users'],
    ['reports'],
    ['withdraw', String(ids[0])],
    ['withdraw', String(ids[0]), '--yes'],
    ['dismiss-report', String(ids[1])],
    ['sign-out', username],
    ['delete-account', username],
    ['delete-account', username, '--yes'],
  ]) {
    const { output } = await endOf(startProcess(environment, 'src/main.ts', ...words))
    expect(output).toContain('Ada ')
    expect(output).not.toMatch(/[^\P{Cc}\n]|\p{Bidi_Control}/u)
  }
  await drop()
})

test('while the service runs, an operator lists, signs out, withdraws, deletes and prunes, but not without being asked', async () => {
  const { environment, drop } = await databaseForProcess()
  const service = startProcess(environment)
  const door = doorOf(await service.url)
  await untilReady(door)
  const run = (...words: string[]) => endOf(startProcess(environment, 'src/main.ts', ...words))
  await passMidnight()
  const poster = await signUpPoster(door, { name: 'Ada' })
  const { username } = poster
  const id = await poster.announced({ message: '\nBad \u001b[31mwords\nand more' })

  const watching = await openEventSource(door, '/feed/live')
  for (const [question, ...words] of [
    [`Permanently delete deployment ${id} of "${username}" (Ada), “Bad ␛[31mwords”?`, 'withdraw', String(id)],
    [
      `Permanently delete the account "${username}" (Ada) and its deployments (1)? The username cannot be used again.`,
      'delete-account',
      username,
    ],
    ['Permanently delete the deployments from before 2020-01-01?', 'prune', '--before', '2020-01-01'],
  ]) {
    expect(await run(...words)).toEqual({
      code: 1,
      output: `Shipfeed ${words[0]}: ${question} This is not a terminal: confirm with --yes\n`,
    })
  }
  expect((await door.fetch(`/${username}/${id}`)).status).toBe(200)

  const today = new Date().toISOString().slice(0, 10)
  const { output: listed } = await run('users')
  expect(
    listed
      .trimEnd()
      .split('\n')
      .map((line) => line.split(/ {2,}/)),
  ).toEqual([
    ['username', 'deployments', 'last call', 'signed in', 'joined', 'name'],
    [username, '1', today, today, today, 'Ada'],
  ])

  const elsewhere = await signIn(door, poster)
  expect((await elsewhere.get('/settings')).status).toBe(200)
  expect(await run('sign-out', username)).toEqual({
    code: 0,
    output: `Ended the sessions of "${username}" (Ada): 2. Password, tokens and publishers stay.\n`,
  })
  expect((await elsewhere.get('/settings')).status).toBe(303)
  expect((await (await signIn(door, poster)).get('/settings')).status).toBe(200)

  expect(await run('withdraw', `somebody/${id}`, '--yes')).toEqual({
    code: 1,
    output: `Shipfeed withdraw: there is no deployment ${id} of "somebody": it may have been withdrawn\n`,
  })
  expect(await badge(username)).toBe('Fresh')
  const withdrawn = await run('withdraw', `${username}/${id}`, '--yes')
  expect(withdrawn.output).toMatch(`Deleted deployment ${id} of "${username}" (Ada), announced at 20`)
  expect(withdrawn.output).toEndWith('Z:\nBad ␛[31mwords\n')
  expect((await door.fetch(`/${username}/${id}`)).status).toBe(404)
  expect(await badge(username)).toBe('Inactive')
  await watching.find(({ data }) => data?.includes(`"deployment-${id}" hx-swap-oob`) === true)
  watching.close()
  expect(await run('withdraw', String(id), '--yes')).toEqual({
    code: 1,
    output: `Shipfeed withdraw: there is no deployment ${id}: it may have been withdrawn\n`,
  })
  const another = (await (await poster.announce({ message: 'Another' })).json()) as { id: number }
  const address = `https://ship.example/below/${username}/${another.id}`
  expect(await run('withdraw', address, '--yes')).toMatchObject({ code: 0 })

  expect((await poster.announce({ message: 'By the token, which stayed' })).status).toBe(201)
  expect(await badge(username)).toBe('Fresh')
  const deleted = await run('delete-account', username, '--yes')
  expect(deleted).toEqual({
    code: 0,
    output: `Deleted the account "${username}" (Ada): its sessions and tokens have ended.\nDeleted its deployments (1). The username cannot be used again.\n`,
  })
  expect((await door.fetch(`/badge/${username}.json`)).status).toBe(404)
  expect((await door.fetch(`/${username}`)).status).toBe(404)
  expect((await poster.announce({ message: 'Too late' })).status).toBe(401)
  await expect(signUp(door, { username })).rejects.toThrow('taken')

  await run('seed')
  const day = new Date(Date.now() - 30 * 24 * 3600 * 1000).toISOString().slice(0, 10)
  const counted = await run('prune', '--before', day, '--dry-run')
  expect(counted.output).toMatch(/^Would delete \d{3,} deployments from before .*\n\d+ more are kept/)
  const pruned = await run('prune', `--before=${day}`, '--yes')
  expect(pruned).toEqual({ code: 0, output: counted.output.replace('Would delete', 'Deleted') })
  expect(await Promise.all(['ada', 'mshaw', 'dorothy'].map(badge))).toEqual(['Fresh', 'Quiet', 'Stale'])
  expect((await run('prune', '--before', day, '--dry-run')).output).toStartWith('Would delete 0 ')

  const checked = await run('check')
  expect(checked.output).toMatch(/^ok {5}schema {6}belongs to this version$/m)
  expect(checked).toEqual({ code: 0, output: expect.not.stringContaining('WRONG') })

  service.child.kill('SIGTERM')
  await endOf(service)
  // What is done in the background may change the sizes.
  const sizes = /\d+ MB/g
  expect((await run('check')).output.replaceAll(sizes, '')).toBe(checked.output.replaceAll(sizes, ''))
  await drop()

  async function badge(username: string): Promise<string> {
    return ((await (await door.fetch(`/badge/${username}.json`)).json()) as { message: string }).message
  }
})
