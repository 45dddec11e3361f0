import { afterAll, describe, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { validate } from 'dockerfile-utils'
import { build, dockerfile, image } from '../support/deploy/dockerfile.ts'
import { outcomeOf } from '../support/deploy/programs.ts'
import { untilReady } from '../support/eventually.ts'
import { signUpPoster } from '../support/people.ts'
import { doorOf, endOf, startCommand, temporaryDirectory } from '../support/process.ts'

const isRoot = process.getuid?.() === 0
const script = join(import.meta.dir, '../support/deploy/read-only-root.sh')

test('the Dockerfile is one', () => {
  expect(validate(dockerfile)).toEqual([])
})

describe.skipIf(!isRoot)('The image (needs to be root)', () => {
  const directories = [temporaryDirectory(), temporaryDirectory(), temporaryDirectory()] as const
  const [stage, root, data] = directories
  afterAll(() => directories.map(({ remove }) => remove()))

  test('is built by its steps, and serves as it says: read-only, not root, without capabilities', async () => {
    await build(stage.path)
    const { copied, env, user, volume, port, entrypoint, healthcheck } = image()
    const [binary, folder] = copied.map(([from = '']) => join(stage.path, from))
    expect([existsSync(binary ?? ''), existsSync(folder ?? '')]).toEqual([true, true])
    expect(copied.map(([, to]) => to)).toEqual(['/shipfeed', env.DATA_DIR])
    expect([volume, port]).toEqual([env.DATA_DIR as string, env.PORT as string])
    expect(entrypoint[0]).toBe('/shipfeed')
    const [uid = '', gid] = user.split(':')
    expect([uid, Number(uid) > 0]).toEqual([gid ?? '', true])

    // The image's address and port are for a network of its own.
    const here = {
      ...env,
      BASE_URL: 'http://ship.test',
      HOST: '127.0.0.1',
      PORT: '0',
      PATH: process.env.PATH ?? '',
    }
    const command = ['unshare', '--mount', script, root.path, binary ?? '', uid, data.path, ...entrypoint]
    const service = startCommand(command, { cwd: '/', env: here })
    const door = doorOf(await service.url)
    await untilReady(door)
    const poster = await signUpPoster(door)
    expect((await poster.announce({ message: 'Out of an image' })).status).toBe(201)
    const status = await Bun.file(`/proc/${service.child.pid}/status`).text()
    expect(status).toMatch(new RegExp(`^Uid:(\t${uid}){4}$`, 'm'))
    expect(status).toMatch(/^CapEff:\t0+$/m)
    const asked = { env: { ...here, PORT: new URL(await service.url).port } }
    expect(await outcomeOf([binary ?? '', ...healthcheck.slice(1)], asked)).toEqual({
      code: 0,
      said: 'ready\n',
    })
    service.child.kill('SIGTERM')
    expect((await endOf(service)).code).toBe(0)
  }, 240_000)
})
