import { afterAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { CommandRefused } from '../../src/commands/command.ts'
import { run as runHere } from '../../src/commands/run.ts'
import { configurationOf, everyCommand } from '../support/configuration.ts'
import { databaseForProcess } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'
import { endOf, startProcess, temporaryDirectory } from '../support/process.ts'

const directory = temporaryDirectory()
afterAll(directory.remove)

async function run(environment: Record<string, string>, ...words: string[]) {
  return await endOf(startProcess(environment, 'src/main.ts', ...words))
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
    const read = () => configurationOf(here)
    const refused = await runHere(everyCommand(here), words, read, () => null).catch((error) => error)
    expect(refused).toBeInstanceOf(CommandRefused)
    expect(`Shipfeed ${words[0]}: ${refused.message}`).toContain(output)
  })

  test('a link to a password, while people sign in at a proxy', async () => {
    const { environment: data, drop } = await databaseForProcess()
    const proxy = { TRUSTED_PROXIES: '127.0.0.1', TRUSTED_USER_HEADER: 'Remote-User' }
    const made = await run({ ...data, ...proxy }, 'account', 'emmy', 'Emmy Noether')
    expect([made.code, made.output]).toEqual([0, expect.stringContaining('"emmy" has an account now')])
    const { code, output } = await run({ ...data, ...proxy }, 'password', 'emmy')
    expect([code, output]).toEqual([1, expect.stringContaining('there are no passwords')])
    const service = startProcess({ ...data, ...proxy })
    // Without the settings of the service, once it has noted them.
    const told = async () => (await run(data, 'password', 'emmy')).output
    await eventually('it is known', async () => (await told()).includes('there are no passwords'))
    service.child.kill('SIGTERM')
    await endOf(service)
    const again = await run(data, 'account', 'emmy')
    expect([again.code, again.output]).toEqual([1, expect.stringContaining('"emmy" is taken')])
    await drop()
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
    [['help', 'settings'], '| `STREAMS_MAX` | `10000` | `1` – `100000` |'],
    [['help', 'log'], '| `fault` | error |'],
    [['help', 'no-such-part'], 'Usage: npm start -- <command>'],
    [['--help'], 'print a link, valid once, at which a user chooses a new password'],
    [['password', '--help'], 'Usage: npm start -- password <username>'],
  ])('%p is no refusal', async (words, output) => {
    const ended = await run(here, ...words)
    expect([ended.code, ended.output]).toEqual([0, expect.stringContaining(output)])
  })
})
