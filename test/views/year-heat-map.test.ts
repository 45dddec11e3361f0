import { expect, test } from 'bun:test'
import { dateOf, startOfDay, utcDayOf } from '../../src/domain/time.ts'
import { weeks, yearUpTo } from '../../src/views/profile/year-heat-map.tsx'

test('the year up to any day has its days in their places, and the months at their first', () => {
  // The 29th of February 2028 is in none of these years, then their last day, in between, and their first.
  const begin = utcDayOf(new Date('2026-12-01'))
  for (let today = begin; today < begin + 900; today += 1) {
    const { first, days, months } = yearUpTo(today)
    expect(days.map(({ date }) => date)).toEqual(
      Array.from({ length: 365 }, (_, n) => dateOf(today - 364 + n)),
    )
    const weekdays = days.map((_, n) => (startOfDay(first + n).getUTCDay() + 6) % 7)
    let week = 0
    const places = weekdays.map((weekday, n) => {
      if (weekday === 0 && n > 0) week += 1
      return { week, weekday }
    })
    expect(days.map(({ week, weekday }) => ({ week, weekday }))).toEqual(places)
    expect(week).toBe(weeks - 1)
    const firsts = days.filter(({ date }) => date.endsWith('-01'))
    expect(firsts.map(({ ordinal }) => ordinal)).toEqual(firsts.map(() => '1st'))
    expect(months).toEqual(
      firsts
        .filter(({ week }) => week <= weeks - 3)
        .map(({ week, month }) => ({ week, name: month.slice(0, 3) })),
    )
  }
})
