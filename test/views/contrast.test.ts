import { expect, test } from 'bun:test'
import { statusColours } from '../../src/badge/status.ts'
import { contrast } from '../badge/contrast.ts'

const style = await Bun.file('static/css/01-variables.css').text()
const palette = new Map(
  [...style.matchAll(/--([a-z-]+): light-dark\((#[0-9a-f]+), (#[0-9a-f]+)\)/g)].map(
    ([, name = '', light = '', dark = '']) => [name, [light, dark]] as const,
  ),
)
const schemes = ['light', 'dark'] as const
const grounds = ['ground', 'panel']
const textColours = [
  ...['ink', 'soft', 'link', 'accent', 'danger'],
  ...['feature', 'bug-fix', 'performance-improvement', 'styling-change'],
]

test.each(schemes)('in the %s scheme every text and edge has enough contrast to its background', (scheme) => {
  const index = schemes.indexOf(scheme)
  const tooNear = grounds.flatMap((ground) =>
    [...textColours.map((colour) => [colour, 4.5] as const), ['edge', 3] as const].filter(
      ([colour, least]) => contrast(hex(colour, index), hex(ground, index)) < least,
    ),
  )
  expect(tooNear).toEqual([])
})

test('a filled button is legible in both schemes', () => {
  for (const index of [0, 1])
    expect(contrast(hex('ground', index), hex('ink', index))).toBeGreaterThanOrEqual(4.5)
})

test('on a light page, the dot of a freshness has the colour of its badge', async () => {
  const { Unknown: _, Unavailable: __, Inactive, ...others } = statusColours
  const dots = await Bun.file('static/css/05-freshness.css').text()
  const [none, ...found] = [...dots.matchAll(/--freshness: light-dark\((#[0-9a-f]+),/g)].map(([, hex]) => hex)
  const names = [...dots.matchAll(/&\.(\w+) \{/g)].map(([, name]) => name)
  expect(none).toBe(Inactive)
  expect(names.map((name, n) => [name, found[n]])).toEqual(
    Object.entries(others).map(([name, colour]) => [name.toLowerCase(), colour]),
  )
})

function hex(name: string, index: number): string {
  const colour = palette.get(name)?.[index]
  if (colour === undefined) throw new Error(`No colour "${name}" in 01-variables.css`)
  return colour.length === 4 ? colour.replace(/[0-9a-f]/g, '$&$&') : colour
}
