import { afterAll, expect, test } from 'bun:test'
import { databaseForProcess } from '../support/database.ts'
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

test('while the service runs, an operator lets people in who forgot their password or have no account', async () => {
  const { environment, drop } = await databaseForProcess()
  const service = startProcess(environment)
  const door = doorOf(await service.url)
  await untilReady(door)
  const { username } = await signUp(door)

  // The link leads to the address of the service, whatever the command's own settings say.
  const elsewhere = { ...environment, BASE_URL: 'http://localhost:3000' }
  const forgotten = pathIn((await run(elsewhere, 'password', username)).output)
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
})
