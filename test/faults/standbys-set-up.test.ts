import { afterAll, beforeAll, expect, test } from 'bun:test'
import { eventually, untilReady } from '../support/eventually.ts'
import { needing } from '../support/needs/needs.ts'
import { signUpPoster } from '../support/people.ts'
import { type PostgresCluster, startPostgresCluster } from '../support/postgres/cluster.ts'
import { ask, waitingFor } from '../support/postgres/with-standbys.ts'
import { doorOf, endOf, startProcess } from '../support/process.ts'

needing('postgresql').describe('A standby', () => {
  let primary: PostgresCluster
  let north: PostgresCluster
  beforeAll(async () => {
    primary = await startPostgresCluster()
    north = await primary.addStandby('north')
  })
  afterAll(async () => {
    await north.remove()
    await primary.remove()
  })

  function urls(): { DATABASE_URL: string; DATABASE_READ_URL: string } {
    return { DATABASE_URL: primary.url, DATABASE_READ_URL: north.url }
  }

  test('that no commit waits for answers with what it has, with READS=eventual', async () => {
    const { child, url } = startProcess({ ...urls(), READS: 'eventual' })
    const door = doorOf(await url)
    await untilReady(door)
    const poster = await signUpPoster(door)
    const badge = async () => await (await door.fetch(`/badge/${poster.username}.svg`)).text()
    await eventually('it knows who has signed up', async () => (await badge()).includes('Inactive'))
    await ask(north, 'select pg_wal_replay_pause()')
    expect((await poster.announce({ message: 'Late' })).status).toBe(201)
    expect(await badge()).toContain('Inactive')
    await ask(north, 'select pg_wal_replay_resume()')
    await eventually('it has what was announced', async () => (await badge()).includes('Fresh'))
    child.kill()
    await child.exited
  })

  test.each([
    ['the primary does not have synchronous_commit = remote_apply for the user postgres', {}],
    [
      "synchronous_standby_names is '': set it so that commits wait for every standby that it names, for example 'FIRST n (…)' with n names",
      waitingFor(),
    ],
    [
      "synchronous_standby_names is 'north, south': set it so that commits wait for every standby that it names, for example 'FIRST n (…)' with n names",
      { ...waitingFor(), synchronous_standby_names: 'north, south' },
    ],
    ['its application_name is "north", which is not in synchronous_standby_names', waitingFor('south')],
  ])(
    'is not read by a process that starts, which serves without it and says so, as check does: %s',
    async (why, settings) => {
      await primary.configure(settings)
      const { host } = new URL(north.url)
      const { child, url, output } = startProcess(urls())
      expect((await doorOf(await url).fetch('/')).status).toBe(200)
      const left = `Shipfeed does not read from the standby ${host}: ${why}`
      await eventually('it is told of', () => unquoted(output()).includes(left))
      child.kill()
      await child.exited
      const line = `the standby ${host} of DATABASE_READ_URL is not read from: ${why} (READS=eventual accepts stale answers)`
      const checked = await endOf(startProcess(urls(), 'src/main.ts', 'check'))
      expect(checked.output).toContain(`WRONG  standby     ${line}`)
      expect(checked.code).toBe(1)
    },
  )

  test('is not read by a user who may not see which standbys follow the primary, and is read once they may', async () => {
    await primary.configure(waitingFor('north'))
    await ask(
      primary,
      'create role shipfeed login; grant all on all tables in schema public, drizzle to shipfeed',
    )
    await ask(primary, 'grant usage on schema drizzle to shipfeed')
    await ask(primary, 'grant all on all sequences in schema public to shipfeed')
    const { DATABASE_URL, DATABASE_READ_URL } = urls()
    const asShipfeed = {
      DATABASE_URL: DATABASE_URL.replace('postgres@', 'shipfeed@'),
      DATABASE_READ_URL: DATABASE_READ_URL.replace('postgres@', 'shipfeed@'),
    }
    const { child, url, output } = startProcess(asShipfeed)
    await url
    const needed =
      'run "grant pg_monitor to shipfeed", so that Shipfeed sees which standbys follow the primary'
    await eventually('it is told of', () => unquoted(output()).includes(needed))
    await ask(primary, 'grant pg_monitor to shipfeed')
    await eventually('it is read from', () => output().includes('standby_back'))
    child.kill()
    await child.exited
    const { output: checked } = await endOf(startProcess(asShipfeed, 'src/main.ts', 'check'))
    expect(checked).toContain(`ok     standby     ${new URL(north.url).host} is read from`)
  })

  test('that is down does not prevent a start, and is read when it is back', async () => {
    await north.stop('fast')
    const { child, url, output } = startProcess(urls())
    const door = doorOf(await url)
    await eventually('it is told of', () => output().includes('standby_left'))
    expect((await door.fetch('/')).status).toBe(200)
    await north.start()
    await eventually('it is read from', () => output().includes('standby_back'))
    child.kill()
    await child.exited
  })
})

/** What lines of JSON say, as it was before. */
function unquoted(lines: string): string {
  return lines.replaceAll('\\"', '"')
}
