import { afterAll, expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { outcomeOf } from '../support/deploy/programs.ts'
import { needing } from '../support/needs/needs.ts'
import { type Poster, signUpPoster } from '../support/people.ts'
import { decodePng } from '../support/png.ts'
import { doorOf, endOf, startCommand, temporaryDirectory } from '../support/process.ts'
import { build, copiedIn, image } from './dockerfile.ts'

const script = join(import.meta.dir, '../support/deploy/read-only-root.sh')

test('the builder gets what the Dockerfile copies, and nothing else', () => {
  const lines = readFileSync(join(import.meta.dir, '../../.dockerignore'), 'utf8')
    .trim()
    .split('\n')
  expect(lines.filter((line) => !/^[#!]/.test(line))).toEqual(['*'])
  const allowed = lines.filter((line) => line.startsWith('!')).map((line) => line.slice(1))
  expect(allowed.toSorted()).toEqual(copiedIn.toSorted())
})

needing('root', 'unshare').describe('The image', () => {
  const directories = [temporaryDirectory(), temporaryDirectory(), temporaryDirectory()] as const
  const [stage, root, data] = directories
  const { copied, env, user, volume, port, entrypoint, healthcheck } = image()
  const [binary = '', licenses = '', emptyFolder = ''] = copied.map(([from = '']) => join(stage.path, from))
  const [uid = '', gid] = user.split(':')
  let ada: Poster
  afterAll(() => directories.map(({ remove }) => remove()))

  test('is built by its steps, and prints its version', async () => {
    await build(stage.path)
    expect([binary, licenses, emptyFolder].map((path) => existsSync(path))).toEqual([true, true, true])
    expect(copied.map(([, to]) => to)).toEqual(['/shipfeed', '/LICENSES.txt', env.DATA_DIR])
    expect([volume, port]).toEqual([env.DATA_DIR as string, env.PORT as string])
    expect([entrypoint, healthcheck]).toEqual([['/shipfeed'], ['/shipfeed', 'healthcheck']])
    expect([uid, Number(uid) > 0]).toEqual([gid ?? '', true])
  }, 600_000)

  test.each([
    ['its own user', uid],
    ['any other', '23456'],
  ])('serves as %s, with a read-only root and without capabilities', async (_, as) => {
    // The image's address and port are for its own network.
    const here = { ...env, BASE_URL: 'http://ship.test', HOST: '127.0.0.1', PORT: '0' }
    const command = ['unshare', '--mount', script, root.path, binary, as, data.path, ...entrypoint]
    const place = { cwd: '/', env: { ...here, PATH: process.env.PATH ?? '' } }
    const service = startCommand(command, place)
    // With the default rate limit.
    const door = doorOf(await service.url, 60)
    ada ??= await signUpPoster(door)
    const headers = { Authorization: `Bearer ${ada.token}` }
    const body = new URLSearchParams({ message: 'Out of an image' })
    const posted = await door.fetch('/api', { method: 'POST', headers, body })
    expect(posted.status).toBe(201)
    const { id } = (await posted.json()) as { id: number }
    const card = await door.fetch(`/${ada.username}/${id}/card.png`)
    expect(decodePng(await card.bytes()).width).toBe(1200)
    const status = await Bun.file(`/proc/${service.child.pid}/status`).text()
    expect(status).toMatch(new RegExp(`^Uid:(\t${as}){4}$`, 'm'))
    expect(status).toMatch(/^CapEff:\t0+$/m)
    const asked = { env: { ...here, PORT: new URL(await service.url).port } }
    const checked = await outcomeOf([binary, ...healthcheck.slice(1)], asked)
    expect(checked).toEqual({ code: 0, said: 'ready\n' })
    service.child.kill('SIGTERM')
    expect((await endOf(service)).code).toBe(0)
  })
})
