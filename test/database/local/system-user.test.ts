import { afterAll, afterEach, describe, expect, test } from 'bun:test'
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { folderIn } from '../../../src/database/local/directory.ts'
import { readPidfile } from '../../../src/database/local/former.ts'
import { isTemporary } from '../../../src/database/local/socket-folder.ts'
import {
  canChange,
  hiding,
  isOpenToOthers,
  isRoot,
  postgresOf,
  replacing,
  startIn,
} from '../../support/local/machine.ts'
import { signUpPoster } from '../../support/people.ts'
import { doorOf, endOf, linesOf, type Process, temporaryDirectory } from '../../support/process.ts'

const directory = temporaryDirectory()
const started: Process[] = []
afterEach(async () => {
  for (const service of started.splice(0)) {
    service.child.kill('SIGKILL')
    await endOf(service)
  }
})
afterAll(directory.remove)
chmodSync(directory.path, 0o711)

/** A user with a name, who is not this one, and a number that nobody has. */
const daemon = 1
const nameless = 54_321
const nobody = 65_534

/** The accounts of a small image. */
const fewUsers = join(directory.path, 'passwd')
writeFileSync(fewUsers, 'root:x:0:0::/root:/bin/sh\nnobody:x:65534:65534::/nonexistent:/bin/false\n')

describe.skipIf(!isRoot || !isOpenToOthers)(
  'Where root starts the service, Postgres runs (needs root)',
  () => {
    test('as nobody, without any right of root, where all may enter', async () => {
      const dataDir = join(directory.path, 'public')
      await expectToWork({ environment: { DATA_DIR: dataDir } })
      expect(postgresOf(dataDir)).toMatchObject({ uid: nobody, groups: '', capabilities: 0 })
      expect(modesIn(dataDir)).toEqual({ lock: 0o600, postgres: 0o700 })
      expect(ownersIn(dataDir)).toEqual({ lock: 0, postgres: nobody })
    })

    test.skipIf(!canChange)(
      'in a user namespace, where nobody else may enter, also if this machine has no other users (needs mounts)',
      async () => {
        const closed = join(directory.path, 'closed')
        mkdirSync(closed, { mode: 0o700 })
        const dataDir = join(closed, 'data')
        await expectToWork({
          environment: { DATA_DIR: dataDir },
          changes: [replacing('/etc/passwd', fewUsers)],
        })
        expect(postgresOf(dataDir)).toMatchObject({ uid: 0, isInNamespace: true })
        expect(ownersIn(dataDir)).toEqual({ lock: 0, postgres: 0 })
      },
    )

    test('as the owner of DATA_DIR, who can go on without root', async () => {
      const dataDir = ownedBy(daemon)
      const ofRoot = await expectToWork({ environment: { DATA_DIR: dataDir } })
      expect(postgresOf(dataDir)).toMatchObject({ uid: daemon, groups: '', capabilities: 0 })
      expect(ownersIn(dataDir)).toEqual({ lock: daemon, postgres: daemon })
      expect(statSync(join(dataDir, 'postgres/shipfeed-password')).uid).toBe(daemon)
      ofRoot.child.kill('SIGTERM')
      await endOf(ofRoot)
      await expectToWork({ environment: { DATA_DIR: dataDir }, as: daemon })
      expect(postgresOf(dataDir).uid).toBe(daemon)
    })

    test('nowhere, where none of these can be: one line says what to do (needs mounts)', async () => {
      const closed = join(directory.path, 'without namespaces')
      mkdirSync(closed, { mode: 0o700 })
      const dataDir = join(closed, 'data')
      expect(await refusal({ environment: { DATA_DIR: dataDir }, changes: [withoutNamespaces] })).toBe(
        `Shipfeed cannot start: Postgres cannot run as root on DATA_DIR "${dataDir}": run the service as another user, give DATA_DIR and the service's own folder a place that every user may enter, such as /var/lib/shipfeed, or set DATABASE_URL`,
      )
      expect(readdirSync(dataDir)).toEqual(['lock'])
    })
  },
)

describe.skipIf(!isOpenToOthers)('Where another user starts the service, Postgres runs (needs root)', () => {
  test('as that user', async () => {
    const dataDir = join(ownedBy(daemon), 'data')
    await expectToWork({ environment: { DATA_DIR: dataDir }, as: daemon })
    expect(postgresOf(dataDir)).toMatchObject({ uid: daemon, isInNamespace: false })
  })

  test('as a user without a name, who gets one in a user namespace', async () => {
    const dataDir = ownedBy(nameless)
    const service = await expectToWork({ environment: { DATA_DIR: dataDir }, as: nameless })
    expect(postgresOf(dataDir)).toMatchObject({ uid: nameless, isInNamespace: true })
    service.child.kill('SIGTERM')
    await endOf(service)
    // Only making a database takes a name.
    await expectToWork({ environment: { DATA_DIR: dataDir }, as: nameless })
    expect(postgresOf(dataDir)).toMatchObject({ uid: nameless, isInNamespace: false })
  })

  test.skipIf(!canChange)(
    'not as a user without a name where there are no namespaces: one line says what to do (needs mounts)',
    async () => {
      const environment = { DATA_DIR: ownedBy(nameless) }
      expect(await refusal({ environment, as: nameless, changes: [withoutNamespaces] })).toBe(
        `Shipfeed cannot start: Postgres cannot make a database as user ${nameless}, who has no name on this machine: add the user to /etc/passwd, run the service as another user, or set DATABASE_URL`,
      )
    },
  )
})

describe('Postgres runs', () => {
  test.each([
    ['in a path too long for a socket', 'long'.repeat(30), true],
    ['in a path with the signs that separate paths', 'a, b:8080 "c"', true],
    ['in a path with spaces, quotes and other signs', `It's 100 % & <here> $HOME; ü`, false],
  ])('%s', async (_, name, isElsewhere) => {
    const dataDir = join(directory.path, name)
    const service = await expectToWork({ environment: { DATA_DIR: dataDir } })
    const folder = socketFolderIn(dataDir)
    expect(isTemporary(folder)).toBe(isElsewhere)
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    const { code, output } = await endOf(startIn({ environment: { DATA_DIR: dataDir } }, 'users'))
    expect([code, output]).toEqual([0, expect.stringContaining('username')])
    service.child.kill('SIGTERM')
    await endOf(service)
    expect(existsSync(folder)).toBe(!isElsewhere)
  })

  test('in a path too long for a socket again after a kill, which leaves nothing behind', async () => {
    const environment = { DATA_DIR: join(directory.path, 'killed'.repeat(20)) }
    const killed = await expectToWork({ environment })
    const { pid } = postgresOf(environment.DATA_DIR)
    const former = socketFolderIn(environment.DATA_DIR)
    // Both at once, so that neither can clear up.
    process.kill(pid, 'SIGKILL')
    killed.child.kill('SIGKILL')
    await endOf(killed)
    const service = await expectToWork({ environment })
    const latter = socketFolderIn(environment.DATA_DIR)
    service.child.kill('SIGTERM')
    await endOf(service)
    expect([former, latter].filter(existsSync)).toEqual([])
  })

  test.skipIf(!canChange)('without room in /dev/shm (needs root and mounts)', async () => {
    await expectToWork({
      environment: { DATA_DIR: join(directory.path, 'no shared memory') },
      changes: [hiding('/dev/shm'), 'mount -o remount,ro /dev/shm'],
    })
  })
})

const withoutNamespaces = replacing('"$(command -v unshare)"', '/dev/null')

function ownedBy(user: number): string {
  const path = join(directory.path, `of ${user} ${crypto.randomUUID()}`)
  mkdirSync(path)
  chownSync(path, user, user)
  chmodSync(path, 0o700)
  return path
}

/** Starts the service, which records an announcement. */
async function expectToWork(circumstances: Parameters<typeof startIn>[0]): Promise<Process> {
  const service = startIn(circumstances)
  started.push(service)
  const poster = await signUpPoster(doorOf(await service.url, 60))
  expect((await poster.announce({ message: 'It works' })).status).toBe(201)
  const troubles = linesOf(service.output()).log.filter((line) => /"level":"(warn|error)"/.test(line))
  expect(troubles).toEqual([])
  return service
}

/** The one line by which a start is refused. */
async function refusal(circumstances: Parameters<typeof startIn>[0]): Promise<string> {
  const { code, output } = await endOf(startIn(circumstances))
  expect(code).toBe(1)
  return linesOf(output).others.join('\n')
}

function socketFolderIn(dataDir: string): string {
  return readPidfile(folderIn(dataDir))?.socketFolder ?? ''
}

function modesIn(dataDir: string): Record<string, number> {
  return Object.fromEntries(
    readdirSync(dataDir).map((name) => [name, statSync(join(dataDir, name)).mode & 0o777]),
  )
}

function ownersIn(dataDir: string): Record<string, number> {
  return Object.fromEntries(readdirSync(dataDir).map((name) => [name, statSync(join(dataDir, name)).uid]))
}
