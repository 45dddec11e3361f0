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
  return /^http:\/\/shipfeed\.test(\/password\?link=[\w-]{43}(?:&\S*)?)$/m.exec(output)?.[1] ?? output
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
      const invited = pathIn((await run(environment, 'account', 'newcomer', 'New', 'Comer')).output)
      const together = await Promise.all(Array.from({ length: 5 }, () => door.fetch(forgotten)))
      expect(together.map(({ status }) => status)).toEqual(Array(5).fill(200))
      expect(await (await door.fetch(invited)).text()).toContain('value="New Comer"')
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
  )
}

describe('a command is refused with what to do', () => {
  const here = { DATA_DIR: join(directory.path, 'nothing') }
  test.each([
    [['password'], 'Shipfeed password: give one username. Usage: npm start -- password <username>'],
    [['password', 'ada', '--quick'], 'Shipfeed password: give one username.'],
    [['seed', '--small'], 'Shipfeed seed: it takes no arguments. Usage: npm start -- seed'],
    [['serve', '--port=80'], 'it takes no arguments. Usage: npm start -- serve'],
    [['account', 'grace', ''], "Shipfeed account: the display name can't be blank"],
    [['users', 'ada'], 'Shipfeed users: it takes no arguments. Usage: npm start -- users'],
    [['account', 'not a name'], 'Shipfeed account: "not a name" is not a valid username'],
    [
      ['withdraw', 'ada'],
      'Shipfeed withdraw: give one deployment by its id or its page, such as 412 or ada/412.',
    ],
    [['withdraw', '412', '413'], 'Shipfeed withdraw: give one deployment'],
    [['dump', 'a', 'b'], 'Shipfeed dump: give one file name. Usage: npm start -- dump <file>'],
    [['restore', '--quick'], 'Shipfeed restore: give one file name.'],
    [['restore', 'none.dump'], 'Shipfeed restore: there is no file "none.dump"'],
    [['prune', '--before', '2025-02-30', '--yes'], 'Shipfeed prune: give a day in the past.'],
    [['prune', '--before', '9999-01-01', '--yes'], 'Shipfeed prune: give a day in the past.'],
    [['prune', '--before', '2025-01-01', '--dry', '--yes'], 'Shipfeed prune: give a day in the past.'],
    [['account', 'admin'], 'Shipfeed account: "admin" is reserved: please choose another'],
    [['password', 'ada'], 'set the DATA_DIR of the service'],
    [['pasword', 'ada'], 'Usage: npm start'],
  ])('%p', async (words, output) => {
    const ended = await run(here, ...words)
    expect([ended.code, ended.output]).toEqual([1, expect.stringContaining(output)])
  })

  test.each([
    ['hide', 'withdraw'],
    ['close', 'delete-account'],
  ])('%s, in one line that says its new name', async (former, name) => {
    expect(await run(here, former, 'ada', '--yes')).toEqual({
      code: 1,
      output: `Shipfeed ${former}: it is called ${name} now: npm start -- ${name} --help\n`,
    })
  })

  test.each([
    [['help'], 'print a link, valid once, at which a user chooses a new password'],
    [['--help'], 'print a link, valid once, at which a user chooses a new password'],
    [['password', '--help'], 'Usage: npm start -- password <username>'],
  ])('%p is no refusal', async (words, output) => {
    const ended = await run(here, ...words)
    expect([ended.code, ended.output]).toEqual([0, expect.stringContaining(output)])
  })
})
