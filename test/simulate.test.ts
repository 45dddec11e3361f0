import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import fc from 'fast-check'
import { costOf } from '../bench/costs/fit.ts'
import { measured } from '../bench/simulate/costs.ts'
import { demandOf, type Load } from '../bench/simulate/demand.ts'
import { coresOfPostgres, limitsOf, planned, shapeFor } from '../bench/simulate/sizing.ts'

const file = join(import.meta.dir, '../bench/simulate/simulate.ts')

const amount = (most: number) => fc.integer({ min: 0, max: most })
const loads: fc.Arbitrary<Load> = fc.record({
  badges: amount(10_000_000),
  announcements: amount(2_000),
  watchers: amount(1_000_000),
  events: amount(10),
})

describe('npm run simulate', () => {
  test('plans the fewest processes and standbys of which none is too full', () => {
    fc.assert(
      fc.property(loads, (load) => {
        const shape = shapeFor(load, measured)
        const { processes, standbys } = shape
        const demand = demandOf(load, shape, measured)
        expect(demand.ours / processes).toBeLessThanOrEqual(planned)
        expect(standbys === 0 ? demand.primary : demand.eachStandby).toBeLessThanOrEqual(
          planned * coresOfPostgres,
        )
        expect(load.watchers / processes).toBeLessThanOrEqual(10_000)
        if (processes > 1 && standbys === 0) {
          const fewer = processes - 1
          const isTooFull = demandOf(load, { processes: fewer, standbys }, measured).ours / fewer > planned
          expect(isTooFull || load.watchers / fewer > 10_000).toBeTrue()
        }
        if (standbys > 0) {
          const fewer = demandOf(load, { processes, standbys: standbys - 1 }, measured)
          const reading = standbys === 1 ? fewer.primary : fewer.eachStandby
          expect(reading).toBeGreaterThan(planned * coresOfPostgres)
        }
      }),
    )
  })

  test('names what is fullest first', () => {
    const fullest = (load: Partial<Load>, processes: number) => {
      const nothing = { badges: 0, announcements: 0, watchers: 0, events: 0 }
      return limitsOf({ ...nothing, ...load }, { processes, standbys: 0 }, measured)[0]?.what
    }
    expect(fullest({}, 1_000)).toContain('connections')
    expect(fullest({ announcements: 100_000 }, 1)).toContain('write path')
    expect(fullest({ badges: 200_000 }, 1)).toContain('core of each process')
    expect(fullest({ watchers: 100_000, events: 0.01 }, 1)).toContain('open feeds')
  })

  test('prints the table of docs/scaling.md', async () => {
    const child = Bun.spawn([process.execPath, file], { stdout: 'pipe' })
    const document = await Bun.file(join(import.meta.dir, '../docs/scaling.md')).text()
    expect(document).toContain(await child.stdout.text())
  })

  test.each([
    [['--badges', 'x'], '--badges is "x"'],
    [['--badges', '-1'], "'--badges"],
    [['--bages', '1'], "'--bages'"],
    [['1000'], '1000'],
  ])('answers %p in one line that says how to call it', async (words, told) => {
    const child = Bun.spawn([process.execPath, file, ...words], { stdout: 'pipe', stderr: 'pipe' })
    const text = (await new Response(child.stderr).text()).trimEnd()
    expect([await child.exited, text.includes('\n')]).toEqual([1, false])
    expect(text).toContain(told)
    expect(text).toContain('npm run simulate -- [--badges')
  })
})

test('a cost is read from batches of several sizes', () => {
  const points = [1, 8, 100].map((calls) => ({ calls, us: 15 + 80 / calls }))
  const { each, once } = costOf(points)
  expect([each, once]).toEqual([expect.closeTo(15), expect.closeTo(80)])
})
