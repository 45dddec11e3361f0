import { afterAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { testDatabaseUrl } from '../support/database.ts'
import { eitherDatabase } from '../support/either-database.ts'
import { untilReady } from '../support/eventually.ts'
import { sendForm } from '../support/forms.ts'
import { signUp } from '../support/people.ts'
import { doorOf, endOf, startProcess, temporaryDirectory } from '../support/process.ts'

const directory = temporaryDirectory()
afterAll(directory.remove)

async function run(environment: Record<string, string>, ...words: string[]) {
  return await endOf(startProcess(environment, 'src/main.ts', ...words))
}

/** The path of a link that a command prints. */
function pathIn(output: string): string {
  return /^http:\/\/shipfeed\.test(\/password\?link=[\w-]{43})$/m.exec(output)?.[1] ?? output
}

for (const [name, make] of eitherDatabase(directory.path)) {
  test.skipIf(name !== 'the embedded database' && testDatabaseUrl === undefined)(
    `on ${name}, while the service runs, an operator lets people in who forgot their password or have no account`,
    async () => {
      const { environment, drop } = await make()
      const service = startProcess(environment)
      const door = doorOf(await service.url)
      await untilReady(door)
      const { username } = await signUp(door)

      const forgotten = pathIn((await run(environment, 'password', username)).output)
      const invited = pathIn((await run(environment, 'account', 'newcomer')).output)
      const together = await Promise.all(Array.from({ length: 5 }, () => door.fetch(forgotten)))
      expect(together.map(({ status }) => status)).toEqual(Array(5).fill(200))
      expect((await door.fetch(invited)).status).toBe(200)
      for (const [path, fields] of [
        [forgotten, {}],
        [invited, { name: 'New Comer' }],
      ] as const) {
        const link = new URLSearchParams(path.split('?')[1]).get('link') ?? ''
        const password = 'a brand new passphrase'
        expect((await sendForm(door, '/password', { link, password, ...fields })).status).toBe(303)
      }
      const signedIn = await sendForm(door, '/sign-in', { username, password: 'a brand new passphrase' })
      expect(signedIn.status).toBe(303)
      expect((await door.fetch('/newcomer')).status).toBe(200)

      service.child.kill('SIGTERM')
      await endOf(service)
      await drop()
    },
    60_000,
  )
}

describe('a command is refused with what to do', () => {
  const here = { DATA_DIR: join(directory.path, 'nothing') }
  test.each([
    [['password'], 'Shipfeed password: password takes one word. Usage: npm start -- password <username>'],
    [['password', 'ada', '--quick'], 'Shipfeed password: password takes one word.'],
    [['account', 'not a name'], 'Shipfeed account: "not a name" is not spelled like a username'],
    [['hide', 'ada'], 'Shipfeed hide: "ada" is no id'],
    [['prune', '--before', '2025-02-30', '--yes'], 'Shipfeed prune: say from before which day of the past.'],
    [['prune', '--before', '9999-01-01', '--yes'], 'Shipfeed prune: say from before which day of the past.'],
    [
      ['prune', '--before', '2025-01-01', '--dry', '--yes'],
      'Shipfeed prune: say from before which day of the past.',
    ],
    [['account', 'admin'], 'Shipfeed account: "admin" is reserved: please choose another'],
    [['password', 'ada'], 'set the DATA_DIR of the service'],
    [['pasword', 'ada'], 'Usage: npm start'],
  ])('%p', async (words, output) => {
    const ended = await run(here, ...words)
    expect([ended.code, ended.output]).toEqual([1, expect.stringContaining(output)])
  })

  test.each([
    [['help'], 'print a link, good once, at which a user chooses a new password'],
    [['--help'], 'print a link, good once, at which a user chooses a new password'],
    [['password', '--help'], 'Usage: npm start -- password <username>'],
  ])('%p is no refusal', async (words, output) => {
    const ended = await run(here, ...words)
    expect([ended.code, ended.output]).toEqual([0, expect.stringContaining(output)])
  })
})
