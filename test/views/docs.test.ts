import { expect, test } from 'bun:test'
import { categoryOf } from '../../src/domain/category.ts'
import { freshnessOf } from '../../src/domain/freshness.ts'
import { states } from '../../src/views/docs/badges.tsx'
import { readings } from '../../src/views/docs/categories.tsx'
import { now } from './samples.ts'

const hourMs = 60 * 60 * 1000

test.each(readings)('the docs read "%s" as the service does', (firstLine, category) => {
  expect(categoryOf(firstLine)).toBe(category)
})

test('the docs say the bounds of each status', () => {
  const aged = states.filter(([, hours]) => !Number.isNaN(hours))
  for (const [n, [status, hours, condition]] of aged.entries()) {
    const next = aged[n + 1]
    if (next === undefined) continue
    expect(freshnessOf(new Date(now.getTime() - hours * hourMs), now)).toBe(status)
    expect(freshnessOf(new Date(now.getTime() - hours * hourMs - 1), now)).toBe(next[0])
    const [, amount, unit] = /^up to (\d+) (hour|day)s ago$/.exec(condition) ?? []
    expect(Number(amount) * (unit === 'day' ? 24 : 1)).toBe(hours)
  }
  expect(aged.map(([status]) => status)).toEqual(['Fresh', 'Warm', 'Active', 'Quiet', 'Stale'])
  expect(states.find(([, hours]) => Number.isNaN(hours))?.[0]).toBe(freshnessOf(null, now))
})
