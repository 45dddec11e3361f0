import { afterAll, beforeAll, expect, test } from 'bun:test'
import { eventually, patience, untilReady } from '../support/eventually.ts'
import { needing } from '../support/needs/needs.ts'
import { announceThenBadge, type Doors, postersOf } from '../support/postgres/announce-then-badge.ts'
import type { PostgresCluster } from '../support/postgres/cluster.ts'
import {
  ask,
  type Replicated,
  standbysCounted,
  standbysRead,
  startWithStandbys,
  urlOf,
  waitingFor,
} from '../support/postgres/with-standbys.ts'
import { doorOf, type Process, startProcess } from '../support/process.ts'

const answerMs = 2_500

needing('postgresql').describe('With two standbys', () => {
  let cluster: Replicated
  let processes: readonly Process[] = []
  let doors: Doors
  beforeAll(async () => {
    cluster = await startWithStandbys('north', 'south')
    const url = urlOf([cluster.primary, ...cluster.standbys])
    const environment = { DATABASE_URL: url, DATABASE_READ_URL: url, METRICS_PORT: '0' }
    const first = startProcess(environment)
    const announces = doorOf(await first.url)
    await untilReady(announces)
    const second = startProcess(environment)
    processes = [first, second]
    doors = { announces, shows: doorOf(await second.url) }
    await untilReady(doors.shows)
  })
  afterAll(async () => {
    for (const { child } of processes) child.kill('SIGKILL')
    await cluster.remove()
  })

  test('when the primary is killed and one is promoted, nothing is lost, and nothing stale is read', async () => {
    const [north, south] = cluster.standbys as [PostgresCluster, PostgresCluster]
    const posters = await postersOf(doors, 16)
    const readers = async () => await standbysRead(processes[1])
    await eventually('both are read', async () => (await readers()) === 2)
    expect(await standbysCounted(processes[1])).toBe(2)
    let isOver = false
    const load = announceThenBadge(doors, posters, () => !isOver)
    await Bun.sleep(1_000)
    await cluster.primary.stop('immediate')
    // The new primary waits for no standby: the other one follows the dead primary until an operator changes that.
    await north.promote()
    await Bun.sleep(2_000)
    const { hostname, port } = new URL(north.url)
    await south.configure({
      primary_conninfo: `host=${hostname} port=${port} user=postgres application_name=south`,
    })
    await north.configure(waitingFor('south'))
    await eventually('the other one is read again', async () => (await readers()) === 1)
    await Bun.sleep(1_000)
    isOver = true
    const { acknowledged, stale, slowestMs } = await load
    const kept = await ask<{ id: string }>(north, 'select id from deployments')
    const ids = new Set(kept.map(({ id }) => Number(id)))
    expect(acknowledged.filter((id) => !ids.has(id))).toEqual([])
    expect(new Set(acknowledged).size).toBe(acknowledged.length)
    expect(stale).toBe(0)
    expect(slowestMs).toBeLessThan(patience(answerMs))
    expect(acknowledged.length).toBeGreaterThan(0)
  })
})
