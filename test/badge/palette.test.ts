import { describe, expect, test } from 'bun:test'
import { labelGround, statusColours, textOnGround, textOnPage } from '../../src/badge/palette.ts'
import { contrast } from './contrast.ts'

const lightPage = '#ffffff'
const darkPage = '#0d1117'
const colours = Object.entries(statusColours)

describe('the palette', () => {
  test('contrast is measured as WCAG does', () => {
    expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 5)
    expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2)
    expect(contrast('#ffffff', '#777777')).toBeCloseTo(4.48, 2)
  })

  test('"deployed" stands 4.5:1 or more from its ground', () => {
    expect(contrast(labelGround, textOnGround)).toBeGreaterThanOrEqual(4.5)
  })

  test('every status is 4.5:1 or more from the word on it, and its dot 3:1 from a light and a dark page', () => {
    const tooNear = (ground: string, ratio: number) =>
      colours.filter(([, colour]) => contrast(colour, ground) < ratio)
    expect(tooNear(textOnGround, 4.5)).toEqual([])
    expect([...tooNear(lightPage, 3), ...tooNear(darkPage, 3)]).toEqual([])
  })

  test('no colour can be 4.5:1 from both pages, and the word beside a dot is as far as one can be', () => {
    const furthest = Math.sqrt(contrast(lightPage, darkPage))
    expect(furthest).toBeLessThan(4.5)
    expect(contrast(textOnPage, lightPage)).toBeGreaterThan(furthest - 0.03)
    expect(contrast(textOnPage, darkPage)).toBeGreaterThan(furthest - 0.03)
  })

  test('no two statuses share a colour', () => {
    expect(new Set(Object.values(statusColours)).size).toBe(colours.length)
  })
})
