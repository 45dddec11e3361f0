import { openPostgres } from '../../src/database/postgres/open.ts'
import { startPostgresCluster } from '../../test/support/postgres/cluster.ts'
import { usedByPostgres } from '../cpu.ts'
import { seeding } from '../data-sets/seeding.ts'
import { runAll } from '../data-sets/server.ts'
import { announceRequests } from '../requests.ts'
import { wrk } from '../wrk.ts'
import { meteredService, observe } from './metered.ts'

const users = 91
const name = 'reads'
const alone = 1
const atOnce = 64

/** The cost of a standby that applies every announcement: its CPU time for each, and the longer wait of a batch. */
export async function standbyCosts({ seconds }: { readonly seconds: number }) {
  const primary = await startPostgresCluster()
  const db = await openPostgres(primary.url)
  await db.migrated
  await db.close()
  await runAll(primary.url, seeding(users))
  const standby = await primary.addStandby(name)
  const service = await meteredService({ DATABASE_URL: primary.url })
  const requests = announceRequests(users)
  const statementUs = async (connections: number) => {
    const load = () => wrk(service, requests, { seconds, connections })
    await load()
    return (await observe(service, 'announcements', load)).us
  }
  try {
    const before = await statementUs(alone)
    await primary.configure({
      synchronous_standby_names: `FIRST 1 (${name})`,
      synchronous_commit: 'remote_apply',
    })
    const awaited = (await statementUs(alone)) - before
    const usedBefore = usedByPostgres(standby.pid)
    const { rate } = await wrk(service, requests, { seconds, connections: atOnce })
    const replayed = (usedByPostgres(standby.pid) - usedBefore) / (rate * seconds)
    return { awaited: Math.max(0, awaited), replayed }
  } finally {
    await service.stop()
    await standby.remove()
    await primary.remove()
  }
}
