import { afterAll, afterEach, describe, expect, test } from 'bun:test'
import { chmodSync, cpSync, existsSync, lstatSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  canChange,
  hiding,
  packageFolder,
  postgresOf,
  replacing,
  startIn,
} from '../../support/local/machine.ts'
import { signUpPoster } from '../../support/people.ts'
import { doorOf, endOf, linesOf, type Process, temporaryDirectory } from '../../support/process.ts'

const directory = temporaryDirectory()
chmodSync(directory.path, 0o711)
const started: Process[] = []
afterEach(async () => {
  for (const service of started.splice(0)) await stop(service)
})
afterAll(directory.remove)

const installed = '/usr/lib/postgresql'
const has15 = existsSync(join(installed, '15/bin/initdb'))

type Circumstances = Parameters<typeof startIn>[0]

describe.skipIf(!canChange)('The Postgres of the package (needs root and mounts)', () => {
  test('gets the links between its libraries, if npm ran no scripts: also by two starts at once', async () => {
    const copy = copyWithoutLinks('without links')
    const changes = [replacing(packageFolder, copy)]
    await Promise.all(['one', 'two'].map((name) => expectToWork({ environment: dataIn(name), changes })))
    const links: { target: string }[] = JSON.parse(
      readFileSync(join(copy, 'native/pg-symlinks.json'), 'utf8'),
    )
    expect(links.length).toBeGreaterThan(10)
    for (const { target } of links) expect(existsSync(join(copy, target))).toBeTrue()
  })

  test('is not used where it cannot get these links', async () => {
    const copy = copyWithoutLinks('read-only')
    const changes = [
      replacing(packageFolder, copy),
      `mount -o remount,bind,ro ${packageFolder}`,
      ...(existsSync(installed) ? [hiding(installed)] : []),
    ]
    expect(await refusal({ environment: dataIn('linkless'), changes })).toContain('there is no Postgres')
  })
})

describe.skipIf(!canChange || !has15)(
  'A Postgres 15 of Debian (needs root, mounts and postgresql-15)',
  () => {
    const withoutPackage = { environment: dataIn('of 15'), changes: [hiding(packageFolder)] }

    test('makes and runs a database where there is no package', async () => {
      await expectToWork(withoutPackage)
      expectVersion15()
      const checked = await endOf(startIn(withoutPackage, 'check'))
      expect(checked).toEqual({ code: 0, output: expect.stringMatching(/^ok +database +Postgres 15\./m) })
    })

    test('goes on with the database that it made, where the package is', async () => {
      const { environment } = withoutPackage
      await expectToWork({ environment })
      expectVersion15()
    })

    test('has made a database that Postgres 18 alone cannot open: one line says so', async () => {
      const { environment } = withoutPackage
      expect(await refusal({ environment, changes: [hiding(installed)] })).toBe(
        `Shipfeed cannot start: the database in ${environment.DATA_DIR}/postgres was made by Postgres 15, and this machine has Postgres 18: run "dump" with the Shipfeed that made it, and "restore" with this one into another DATA_DIR`,
      )
      await expectToWork({ environment })
    })

    function expectVersion15(): void {
      const { command } = postgresOf(withoutPackage.environment.DATA_DIR)
      expect(command[0]).toBe(join(installed, '15/bin/postgres'))
      expect(command.join(' ')).not.toContain('io_method')
    }
  },
)

test.skipIf(!canChange)(
  'Without any Postgres, one line says what to do (needs root and mounts)',
  async () => {
    const environment = dataIn('of none')
    const changes = [packageFolder, installed].filter((path) => existsSync(path)).map(hiding)
    expect(await refusal({ environment: { ...environment, PATH: '/usr/bin:/bin' }, changes })).toBe(
      'Shipfeed cannot start: there is no Postgres 15 or newer for this machine: install it (on Debian "apt-get install postgresql", on Alpine "apk add postgresql"), or set DATABASE_URL to the address of a Postgres server',
    )
  },
)

function dataIn(name: string) {
  return { DATA_DIR: join(directory.path, name) }
}

function copyWithoutLinks(name: string): string {
  const copy = join(directory.path, name)
  cpSync(packageFolder, copy, { recursive: true, filter: (path) => !lstatSync(path).isSymbolicLink() })
  return copy
}

/** Starts the service, which records an announcement. */
async function expectToWork(circumstances: Circumstances): Promise<void> {
  for (const service of started.splice(0)) await stop(service)
  const service = startIn(circumstances)
  const poster = await signUpPoster(doorOf(await service.url, 60))
  expect((await poster.announce({ message: 'It works' })).status).toBe(201)
  started.push(service)
}

async function stop(service: Process): Promise<void> {
  service.child.kill('SIGTERM')
  await endOf(service)
}

/** The one line by which a start is refused. */
async function refusal(circumstances: Circumstances): Promise<string> {
  const { code, output } = await endOf(startIn(circumstances))
  expect(code).toBe(1)
  return linesOf(output).others.join('\n')
}
