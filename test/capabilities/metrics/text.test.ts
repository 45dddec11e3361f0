import { expect, test } from 'bun:test'
import { counter, histogram, reading, textOf } from '../../../src/capabilities/metrics/prometheus.ts'

test('a counter has a line for each value of its label; known values start at 0', async () => {
  const cups = counter({ name: 'cups_total', help: 'Cups.', label: 'of', known: ['tea', 'coffee'] })
  cups.count('tea')
  cups.count('tea')
  cups.count('a "b"\\c\nd')
  expect(await textOf([cups])).toBe(
    [
      '# HELP cups_total Cups.',
      '# TYPE cups_total counter',
      'cups_total{of="tea"} 2',
      'cups_total{of="coffee"} 0',
      String.raw`cups_total{of="a \"b\"\\c\nd"} 1`,
      '',
    ].join('\n'),
  )
})

test('a bucket of a histogram counts values up to its bound, inclusive', async () => {
  const ages = histogram({ name: 'age_seconds', help: 'Age.', bounds: [0.5, 1, 2] })
  const ofTea = ages.series({ of: 'tea' })
  for (const age of [0, 0.5, 0.75, 2, 2.25, 100]) ofTea.observe(age)
  expect(await textOf([ages])).toBe(
    [
      '# HELP age_seconds Age.',
      '# TYPE age_seconds histogram',
      'age_seconds_bucket{of="tea",le="0.5"} 2',
      'age_seconds_bucket{of="tea",le="1"} 3',
      'age_seconds_bucket{of="tea",le="2"} 4',
      'age_seconds_bucket{of="tea",le="+Inf"} 6',
      'age_seconds_sum{of="tea"} 105.5',
      'age_seconds_count{of="tea"} 6',
      '',
    ].join('\n'),
  )
})

test('a value that cannot be read has no line', async () => {
  const families = [
    reading('gauge', { name: 'known', help: 'A.', labels: { of: 'tea' } }, async () => 7),
    reading('gauge', { name: 'unknown', help: 'B.' }, () => null),
  ]
  expect(await textOf(families)).toBe(
    '# HELP known A.\n# TYPE known gauge\nknown{of="tea"} 7\n# HELP unknown B.\n# TYPE unknown gauge\n',
  )
})
