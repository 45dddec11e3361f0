import { describe, expect, test } from 'bun:test'
import { labelGround, statusColours, textOnGround, textOnPage } from '../../src/badge/status.ts'
import { contrast } from './contrast.ts'

const lightPage = '#ffffff'
const darkPage = '#0d1117'
const colours = Object.entries(statusColours)

describe('the palette', () => {
  test('contrast is measured as in WCAG', () => {
    expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 5)
    expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2)
    expect(contrast('#ffffff', '#777777')).toBeCloseTo(4.48, 2)
  })

  test('"deployed" has a contrast of 4.5:1 or more to its background', () => {
    expect(contrast(labelGround, textOnGround)).toBeGreaterThanOrEqual(4.5)
  })

  test('every status has a contrast of 4.5:1 or more to its word, and its dot of 3:1 or more to a light and a dark page', () => {
    const tooNear = (ground: string, ratio: number) =>
      colours.filter(([, colour]) => contrast(colour, ground) < ratio)
    expect(tooNear(textOnGround, 4.5)).toEqual([])
    expect([...tooNear(lightPage, 3), ...tooNear(darkPage, 3)]).toEqual([])
  })

  test('no colour has a contrast of 4.5:1 to both pages, and the word next to a dot comes close to the highest possible', () => {
    const furthest = Math.sqrt(contrast(lightPage, darkPage))
    expect(furthest).toBeLessThan(4.5)
    expect(contrast(textOnPage, lightPage)).toBeGreaterThan(furthest - 0.03)
    expect(contrast(textOnPage, darkPage)).toBeGreaterThan(furthest - 0.03)
  })

  test('no two statuses share a colour', () => {
    expect(new Set(Object.values(statusColours)).size).toBe(colours.length)
  })
})
