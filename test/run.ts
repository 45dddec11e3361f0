// `npm test`, which calls it by `bun --no-orphans run`: that ends whatever the tests have left running when this ends.
// Runs `bun test` with these words on a Postgres of its own, and says at the end which tests were left out for what this machine has not.

import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { leftOut } from './support/needs/left-out.ts'
import { startTestServer, type TestServer } from './support/postgres/test-server.ts'

/** All temporary files of the tests are below it. */
const folder = mkdtempSync(join(tmpdir(), 'shipfeed-tests-'))
// Some are of servers that run as other users.
chmodSync(folder, 0o711)
const report = join(folder, 'report.xml')
/** See `freePort` of support/process.ts. */
const ports = join(folder, 'ports')
mkdirSync(ports)
let server: TestServer | null = null
try {
  // One for all processes of `bun test`, unless there is one.
  if (!process.env.TEST_DATABASE_URL) server = await startTestServer()
  process.exitCode = await run(process.argv.slice(2))
  const line = existsSync(report) ? leftOut(readFileSync(report, 'utf8')) : null
  if (line !== null) {
    console.error(line)
    // There, everything is installed.
    if (process.env.CI === 'true') process.exitCode ||= 1
  }
} finally {
  await server?.stop()
  rmSync(folder, { recursive: true, force: true, maxRetries: 9 })
}

async function run(words: readonly string[]): Promise<number> {
  const reporter = ['--reporter=junit', `--reporter-outfile=${report}`]
  const tests = Bun.spawn([process.execPath, 'test', ...reporter, ...words], {
    // This variable would give what the tests start that option of ours.
    env: {
      ...process.env,
      TMPDIR: folder,
      TEST_PORTS: ports,
      TEST_DATABASE_URL: server?.url ?? process.env.TEST_DATABASE_URL,
      BUN_FEATURE_FLAG_NO_ORPHANS: undefined,
    },
    stdio: ['inherit', 'inherit', 'inherit'],
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => tests.kill(signal))
  return await tests.exited
}
