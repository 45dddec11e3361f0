import { afterAll, expect, test } from 'bun:test'
import { waitingRecorder } from '../../../src/capabilities/intakes/calls.ts'
import type { Db } from '../../../src/database/db.ts'
import { storedDeployments } from '../../support/deployments.ts'
import { githubRelease } from '../../support/intake/deliveries.ts'
import { deliver, madeIntake } from '../../support/intake/intakes.ts'
import { textOf } from '../../support/markup.ts'
import { signUp } from '../../support/people.ts'
import { startService } from '../../support/service.ts'

const service = await startService({ RATE_LIMIT_PER_MINUTE: '1' })
afterAll(service.close)

/** The work of a process that has read which calls wait, and goes on when it is told to. */
function slowProcess(db: Db) {
  const { promise: hasRead, resolve: read } = Promise.withResolvers<void>()
  const { promise: halt, resolve: goOn } = Promise.withResolvers<void>()
  const write: Db['write'] = async (...work) => {
    read()
    await halt
    return await db.write(...work)
  }
  return { recordWaiting: waitingRecorder({ ...db, write }, { ratePerMinute: 0 }), hasRead, goOn }
}

test('a call that another process has announced is not announced again, not after a withdrawal either', async () => {
  const ada = await signUp(service)
  const intake = await madeIntake(ada, 'github')
  const answers = [1, 2].map((id) => deliver(service, intake, githubRelease({ id, name: `Number ${id}` })))
  expect((await Promise.all(answers)).map(({ status }) => status).sort()).toEqual([201, 202])

  const slow = slowProcess(service.db)
  const goingOn = slow.recordWaiting()
  await slow.hasRead
  await waitingRecorder(service.db, { ratePerMinute: 0 })()
  const both = await storedDeployments(service.db, ada.username)
  expect(both).toHaveLength(2)
  const last = Math.max(...both.map(({ id }) => id))
  await ada.send(`/${ada.username}/${last}/delete`, {})

  slow.goOn()
  await goingOn
  expect((await storedDeployments(service.db, ada.username)).map(({ id }) => id)).toEqual([
    Math.min(...both.map(({ id }) => id)),
  ])
  const page = textOf(await (await ada.get(intake.settings)).text(), 'main')
  expect(page).not.toMatch(/wait|refused/)
})
