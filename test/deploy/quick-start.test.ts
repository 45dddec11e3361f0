import { afterAll, expect, test } from 'bun:test'
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { readConfig } from '../../src/config.ts'
import { binary } from '../support/deploy/binary.ts'
import { codeUnder } from '../support/deploy/operations.ts'
import { outcomeOf } from '../support/deploy/programs.ts'
import { textOf } from '../support/markup.ts'
import { signUpPoster } from '../support/people.ts'
import { doorOf, endOf, freePort, startCommand, temporaryDirectory } from '../support/process.ts'

const directory = temporaryDirectory()
afterAll(directory.remove)

test('a new operator who does what the docs say has it running from the binary within two minutes', async () => {
  const began = performance.now()
  copyFileSync(await binary(), join(directory.path, 'shipfeed'))
  // The documented port may be taken here.
  const env = { PATH: process.env.PATH ?? '', HOST: '127.0.0.1', PORT: String(freePort()) }
  const service = startCommand(['sh', '-c', `exec ${codeUnder('The binary', 'sh')}`], {
    cwd: directory.path,
    env,
  })
  const door = doorOf(await service.url)
  const { token, username } = await signUpPoster(door)
  const snippet = textOf(await (await door.fetch('/docs')).text(), '#with-form-fields')
  expect(snippet).toContain(`curl http://localhost:${env.PORT}/api`)

  const announced = await outcomeOf(['sh', '-c', snippet], {
    env: { ...env, SHIPFEED_TOKEN: token },
  })
  expect(announced.said).toContain('"status":"success"')
  const badge = await (await door.fetch(`/badge/${username}.json`)).json()
  expect(badge).toMatchObject({ message: 'Fresh' })
  expect(performance.now() - began).toBeLessThan(120_000)
  service.child.kill('SIGTERM')
  expect((await endOf(service)).code).toBe(0)
}, 120_000)

test('the secrets that the docs make for compose are ones that the service takes', async () => {
  const commands = codeUnder('Image and compose', 'sh').replace(/^docker .*$/m, '')
  const made = await outcomeOf(['sh', '-euc', `mkdir deploy; ${commands}`], { cwd: directory.path })
  expect(made).toEqual({ code: 0, said: '' })
  const secret = join(directory.path, 'deploy/secrets/database_url')
  expect(readConfig({ DATABASE_URL_FILE: secret }).databaseUrl).toMatch(
    /^postgres:\/\/shipfeed:[0-9a-f]{48}@postgres\/shipfeed$/,
  )
})
