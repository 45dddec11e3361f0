import { describe, expect, test } from 'bun:test'
import { textWidth } from '../../src/badge/text-width.ts'

describe('text width', () => {
  // Measured with anafanafo 2.0.0, which shields uses.
  test.each([
    ['deployed', 49.86],
    ['Fresh', 30.25],
    ['Warm', 32.88],
    ['Active', 33.66],
    ['Quiet', 29.52],
    ['Stale', 28.03],
    ['Inactive', 44.34],
    ['unknown', 50.03],
    ['unavailable', 62.72],
    ['production', 58.75],
    ['just now', 47.32],
    ['v2.4.0+build.7', 82.17],
    ['1.0.0-rc.1_x86', 82.86],
    ['eu-west/1: 38 min ago', 127.52],
  ])('"%s" is %d px in Verdana at 11 px, to a tenth', (word, width) => {
    expect(Math.abs(textWidth(word) - width)).toBeLessThanOrEqual(0.05 + 1e-9)
  })

  test('a character that no badge can contain has no width', () => {
    expect(() => textWidth('Zürich')).toThrow('The width of "ü" is not in the table')
  })
})
