import { afterAll, expect, test } from 'bun:test'
import postgres from 'postgres'
import { lengthySettings, settingStatement } from '../../../src/database/session-settings.ts'
import { testDatabaseUrl } from '../../support/database.ts'
import { eventually } from '../../support/eventually.ts'

const watcher = postgres(testDatabaseUrl, { max: 1, onnotice: () => {} })
afterAll(() => watcher.end())

const isRunning = async (mark: string) =>
  (await watcher`select from pg_stat_activity where query like ${`%${mark}%`} and pid <> pg_backend_pid()`)
    .length > 0

/** A process that runs a statement with our settings, but without a limit on its time. */
function statementOf(mark: string, settings: string) {
  const script = `
    const { default: postgres } = await import('postgres')
    const session = postgres(process.argv[1], { max: 1, onnotice: () => {} })
    await session.unsafe(process.argv[2])
    await session.unsafe(process.argv[3])`
  const statement = `select pg_sleep(120) as ${mark}`
  return Bun.spawn([process.execPath, '-e', script, testDatabaseUrl, settings, statement], {
    stdin: 'ignore',
  })
}

test.skipIf(process.platform !== 'linux')('the server stops a statement whose process is gone', async () => {
  const settings = settingStatement(lengthySettings)
  const ours = statementOf('left_alone_of_ours', settings)
  // Without the setting, to see that nothing else ends it.
  const without = statementOf('left_alone_without', settings.replace("'100'", "'0'"))
  await eventually(
    'both run',
    async () => (await isRunning('left_alone_of_ours')) && (await isRunning('left_alone_without')),
  )
  ours.kill('SIGKILL')
  without.kill('SIGKILL')
  await eventually('ours is stopped', async () => !(await isRunning('left_alone_of_ours')))
  expect(await isRunning('left_alone_without')).toBeTrue()
  await watcher`select pg_terminate_backend(pid) from pg_stat_activity where query like '%left_alone_without%' and pid <> pg_backend_pid()`
})
