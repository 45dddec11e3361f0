import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { query } from '../../support/database.ts'
import { openEventSource } from '../../support/live/event-source.ts'
import { signUpPoster } from '../../support/people.ts'
import { useService } from '../../support/service.ts'

const service = await useService()

test.each([
  ['fewer announcements than', 3],
  ['more announcements than', 9],
])('after a failover with %s were lost, a stream sends all of them', async (_, count) => {
  const ada = await signUpPoster(service)
  const source = await openEventSource(service, `/api/deployments/live?user=${ada.username}`)
  const announce = (message: string) => ada.announced({ message })
  const first = await announce('First')
  for (let n = 0; n < 5; n += 1) await announce('Lost')
  const last = await announce('Lost last')
  await source.find(({ id }) => id === String(last))
  // One statement, so that the bell finds the log as a standby would have it.
  await query(
    service.db,
    sql`
      with gone as (delete from deployments where id > ${first}::bigint returning id)
      select setval('deployments_id_seq', ${first}::bigint) from gone`,
  )
  const sent = source.messages.length
  const ids: number[] = []
  for (let n = 0; n < count; n += 1) ids.push(await announce(`Again ${n}`))
  await source.find(({ data }) => data?.includes(`Again ${count - 1}"`) ?? false)
  source.close()
  const records = source.messages.slice(sent).filter(({ event }) => event === 'deployment')
  expect(records.map(({ data }) => JSON.parse(data ?? '').message)).toEqual(ids.map((_, n) => `Again ${n}`))
  expect(ids[0]).toBe(first + 1)
})
