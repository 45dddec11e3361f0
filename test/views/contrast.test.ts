import { expect, test } from 'bun:test'

const style = await Bun.file('static/css/01-tokens.css').text()
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

const cases = schemes.flatMap((scheme, index) =>
  grounds.flatMap((ground) => [
    ...textColours.map((colour) => [colour, ground, scheme, 4.5, index] as const),
    ['edge', ground, scheme, 3, index] as const,
  ]),
)

test.each(cases)('%s on %s in the %s scheme meets %p:1', (colour, ground, _, least, index) => {
  expect(contrast(hex(colour, index), hex(ground, index))).toBeGreaterThanOrEqual(least)
})

test('a filled button is legible in both schemes', () => {
  for (const index of [0, 1])
    expect(contrast(hex('ground', index), hex('ink', index))).toBeGreaterThanOrEqual(4.5)
})

function hex(name: string, index: number): string {
  const colour = palette.get(name)?.[index]
  if (colour === undefined) throw new Error(`No colour "${name}" in 01-tokens.css`)
  return colour.length === 4 ? colour.replace(/[0-9a-f]/g, '$&$&') : colour
}

/** The contrast ratio of WCAG 2.2. */
function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (lighter + 0.05) / (darker + 0.05)
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
    const channel = Number.parseInt(colour.slice(start, start + 2), 16) / 255
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
