import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { timestampOf } from '../../src/domain/timestamp.ts'

describe('timestamp', () => {
  test.each([
    ['2025-11-21T06:49:07.000Z', '2025-11-21T06:49:07Z'],
    ['2025-11-21T06:49:07.001Z', '2025-11-21T06:49:07Z'],
    ['2025-12-31T23:59:59.999Z', '2025-12-31T23:59:59Z'],
    ['2025-11-21T06:49:07.500+02:00', '2025-11-21T04:49:07Z'],
    ['1969-12-31T23:59:59.999Z', '1969-12-31T23:59:59Z'],
  ])('%s is written %s', (instant, written) => {
    expect(timestampOf(new Date(instant))).toBe(written)
  })

  test('reads back as the second that had begun', () => {
    const instants = fc.date({
      min: new Date('1900-01-01'),
      max: new Date('9999-12-31'),
      noInvalidDate: true,
    })
    fc.assert(
      fc.property(instants, (instant) => {
        const written = timestampOf(instant)
        expect(written).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
        expect(Date.parse(written)).toBe(Math.floor(instant.getTime() / 1000) * 1000)
      }),
    )
  })
})
