import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { freshnessOf } from '../../../src/domain/freshness.ts'
import { wordsChangeAt } from '../../../src/domain/statistics/words-change.ts'
import { day, shortAge, utcDayOf } from '../../../src/domain/time.ts'

const now = new Date('2026-03-01T12:00:00Z')

/** Instants around every bound of an age and of a freshness, and ahead of the clock. */
const instant = fc
  .oneof(
    fc.integer({ min: -1, max: 400 * 24 }).map((hours) => hours * 3_600_000),
    fc.integer({ min: -120_000, max: 400 * day }),
  )
  .chain((age) => fc.integer({ min: -1, max: 1 }).map((slip) => new Date(now.getTime() - age + slip)))

test('A page says the same until its words change, and then something else', () => {
  fc.assert(
    fc.property(fc.array(instant), fc.array(instant), fc.array(instant), (listed, targets, recent) => {
      const overview = {
        ...{ days: [], firstDay: null, firstAnnouncedDay: null, recent, now },
        targets: targets.map((deployedAt) => ({ target: 'x', deployedAt })),
      }
      const until = wordsChangeAt(
        overview,
        listed.map((deployedAt) => ({ deployedAt })),
      )
      const wordsAt = (at: Date) => [
        utcDayOf(at),
        ...[...listed, ...targets, ...recent.slice(0, 1)].map(
          (then) => `${shortAge(then, at)}, ${freshnessOf(then, at)}`,
        ),
      ]
      expect(wordsAt(new Date(until.getTime() - 1))).toEqual(wordsAt(now))
      expect(wordsAt(until)).not.toEqual(wordsAt(now))
    }),
    { numRuns: 500 },
  )
})
