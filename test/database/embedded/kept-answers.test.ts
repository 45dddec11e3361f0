import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { KeptAnswers } from '../../../src/database/embedded/kept-answers.ts'

const owners = ['ada', 'bob']
const someStep = fc.record({
  what: fc.constantFrom('read', 'read', 'read', 'declared write', 'undeclared write', 'failed write'),
  owner: fc.constantFrom(...owners),
})

test('no answer is older than a write that has ended, or than an answer already given, in any order of events', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(someStep, { maxLength: 25 }), fc.scheduler(), async (steps, scheduler) => {
      const pause = (label: string) => scheduler.schedule(Promise.resolve(), label)
      const kept = new KeptAnswers()
      /** The number of changes of each owner: stored, and the newest that a caller has been told. */
      const stored = new Map(owners.map((owner) => [owner, 0]))
      const told = new Map(owners.map((owner) => [owner, 0]))
      const tell = (owner: string, value: number) => told.set(owner, Math.max(value, told.get(owner) ?? 0))

      const read = async (owner: string) => {
        const least = told.get(owner) ?? 0
        const answer = await kept.remember(owner, 'key', async () => {
          await pause('before the read')
          const value = stored.get(owner) ?? 0
          await pause('after the read')
          return value
        })
        tell(owner, answer)
        expect(answer).toBeGreaterThanOrEqual(least)
      }
      const write = async (owner: string, what: string) => {
        let value = 0
        const work = async () => {
          await pause('before the write')
          value = (stored.get(owner) ?? 0) + 1
          stored.set(owner, value)
          await pause('after the write')
          if (what === 'failed write') throw new Error(what)
        }
        await kept.write(work, what === 'undeclared write' ? undefined : () => [owner]).catch(() => {})
        tell(owner, value)
      }
      const act = ({ what, owner }: { what: string; owner: string }) =>
        what === 'read' ? read(owner) : write(owner, what)

      const acts = steps.map(async (step) => {
        await pause('to begin')
        await act(step)
      })
      await scheduler.waitFor(Promise.all(acts))
      // Nothing is under way now, so these are answered from memory the second time.
      for (const owner of [...owners, ...owners]) {
        await scheduler.waitFor(read(owner))
        expect(told.get(owner)).toBe(stored.get(owner) ?? 0)
      }
    }),
    { numRuns: 1_000 },
  )
})

test('answers are read once, and again only after a write of their owner or an undeclared write', async () => {
  const kept = new KeptAnswers()
  let reads = 0
  const read = async (owner: string) => await kept.remember(owner, '', async () => ++reads)
  await read('ada')
  await read('bob')
  expect([await read('ada'), await read('bob')]).toEqual([1, 2])
  await kept.write(
    async () => 'ada',
    (owner) => [owner],
  )
  expect([await read('ada'), await read('bob')]).toEqual([3, 2])
  await kept.write(async () => {}, 'nothing')
  expect([await read('ada'), await read('bob')]).toEqual([3, 2])
  await kept.write(async () => {})
  expect([await read('ada'), await read('bob')]).toEqual([4, 5])
})

test.each([
  [20_000, 'are all kept', 0],
  [20_001, 'make the first ones forgotten', 1],
])('%d answers %s', async (count, _, readAgain) => {
  const kept = new KeptAnswers()
  for (let n = 0; n < count; n++) await kept.remember(`user${n % 500}`, `${n}`, async () => n)
  let reads = 0
  await kept.remember('user0', '0', async () => {
    reads += 1
    return 0
  })
  expect(reads).toBe(readAgain)
})
