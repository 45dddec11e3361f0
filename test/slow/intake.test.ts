import { afterAll, describe, expect, test } from 'bun:test'
import { databaseForProcess } from '../support/database.ts'
import { eventually, untilReady } from '../support/eventually.ts'
import { githubRelease } from '../support/intake/deliveries.ts'
import { deliver, madeIntake } from '../support/intake/intakes.ts'
import { inParallel } from '../support/parallel.ts'
import { signUp } from '../support/people.ts'
import { doorOf, type Process, startProcess, temporaryDirectory } from '../support/process.ts'

const deliveries = 10_000
const events = 250
/** Fewer than there are events, so that some wait while the process ends. */
const perMinute = 200

const directory = temporaryDirectory()
afterAll(directory.remove)
const processes: Process[] = []
afterAll(() => {
  for (const { child } of processes) child.kill('SIGKILL')
})

describe('From a forge', () => {
  test(`${deliveries} deliveries of ${events} events announce each of them once, though the process is killed in between`, async () => {
    const { environment, drop } = await databaseForProcess()
    let door = await started()
    const ada = await signUp(door)
    const intake = await madeIntake(ada, 'github')
    let answered = 0
    let restarting: Promise<void> | null = null
    await inParallel([...Array(deliveries).keys()], 16, async (n) => {
      // First each event once, in order, and then random ones.
      const id = n < events ? n + 1 : 1 + Math.floor(Math.random() * events)
      const delivery = githubRelease({ id, name: `Number ${id}` })
      for (;;) {
        const answer = await deliver(door, intake, delivery).catch(() => null)
        if (answer !== null && [201, 202].includes(answer.status)) break
        await (restarting ?? Bun.sleep(50))
      }
      answered += 1
      if (answered === deliveries / 2) restarting = restart()
    })
    const messages = async () => {
      const all: string[] = []
      for (let path: string | undefined = `/api/deployments?user=${ada.username}&limit=100`; path; ) {
        const page = (await (await door.fetch(path)).json()) as {
          deployments: { message: string }[]
          older: string | null
        }
        all.push(...page.deployments.map(({ message }) => message))
        path = page.older?.replace('http://shipfeed.test', '')
      }
      return all
    }
    // Waiting calls are announced only as the rate allows.
    await eventually(
      'all are announced',
      async () => {
        await Bun.sleep(500)
        return (await messages()).length >= events
      },
      120,
    )
    const numbers = Array.from({ length: events }, (_, n) => `Number ${n + 1}`)
    expect((await messages()).toSorted()).toEqual(numbers.toSorted())
    processes.at(-1)?.child.kill('SIGKILL')
    await processes.at(-1)?.child.exited
    await drop()

    async function started(): Promise<ReturnType<typeof doorOf>> {
      const process = startProcess({ ...environment, RATE_LIMIT_PER_MINUTE: String(perMinute) })
      processes.push(process)
      const opened = doorOf(await process.url, perMinute)
      await untilReady(opened)
      return opened
    }

    async function restart(): Promise<void> {
      const { child } = processes.at(-1) as Process
      child.kill('SIGKILL')
      await child.exited
      door = await started()
    }
  })
})
