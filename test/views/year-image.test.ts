import { expect, test } from 'bun:test'
import { YearImage, yearThemes } from '../../src/views/profile/year-image.tsx'
import { elementsOf } from '../support/xml.ts'

const today = 20_779

test.each(yearThemes)('the busiest year is well-formed and within 3 KB gzipped: %s', (theme) => {
  // Neighbouring days never have the same level, as that would compress better than any real year.
  const days = Array.from({ length: 365 }, (_, n) => ({
    day: today - 364 + n,
    deployments: 1 + ((n * 7919) % 97),
  }))
  const svg = String(YearImage({ theme, today, days }))
  expect(elementsOf(svg)[0]?.name).toBe('svg')
  expect(Bun.gzipSync(svg, { level: 6 }).length).toBeLessThan(3 * 1024)
})
