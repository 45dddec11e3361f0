import { afterAll, expect, test } from 'bun:test'
import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { makeRepository } from '../support/ci/job.ts'
import { runScript, startScript, testInShells } from '../support/ci/script.ts'
import { eventually } from '../support/eventually.ts'
import { temporaryDirectory } from '../support/process.ts'

/** What ci/history.sh leaves behind when it is stopped, and what it says of an answer that is none of ours. */
const script = await Bun.file(join(import.meta.dir, '../../ci/history.sh')).text()
const directory = temporaryDirectory()
afterAll(directory.remove)

const { path: cwd } = await makeRepository(join(directory.path, 'engine'), 'feat: it')
Bun.spawnSync(['git', 'tag', 'v1'], { cwd })

let count = 0
testInShells('when it is stopped, nothing of it stays on the disk, in %s', async (shell) => {
  const TMPDIR = join(directory.path, `temporary-${++count}`)
  mkdirSync(TMPDIR)
  const { promise: isCalled, resolve } = Promise.withResolvers<void>()
  await using server = Bun.serve({
    port: 0,
    async fetch() {
      resolve()
      await Bun.sleep(60_000)
      return new Response()
    },
  })
  const env = { TMPDIR, SHIPFEED_TOKEN: 'ship_x', SHIPFEED_URL: server.url.origin }
  const child = startScript(script, { cwd, env, shell })
  await isCalled
  expect(readdirSync(TMPDIR)).toHaveLength(1)
  // With all that it has started, as CIs stop a job.
  process.kill(-child.pid, 'SIGTERM')
  await child.exited
  // ksh ends before what removes it.
  await eventually('nothing is left', () => readdirSync(TMPDIR).length === 0)
})

test('an answer of something else, such as a page to sign in to a network, is said to be one', async () => {
  await using server = Bun.serve({ port: 0, fetch: () => new Response('<html>\n<h1>Welcome</h1>') })
  const env = { SHIPFEED_TOKEN: 'ship_x', SHIPFEED_URL: server.url.origin }
  expect(await runScript(script, { cwd, env })).toEqual({
    exitCode: 1,
    output: '',
    errors:
      'Tags: 1\nThe rest was not added: something else than Shipfeed answered: <html> <h1>Welcome</h1>\n',
  })
})
