import { expect, test } from 'bun:test'
import { pngRenderer } from '../../../src/capabilities/pictures/png.ts'
import { decodePng } from '../../support/png.ts'

const square = (colour: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9" fill="${colour}"/></svg>`

test('a picture that cannot be drawn fails alone, and those waiting behind it are drawn', async () => {
  const renderer = pngRenderer()
  const svgs = [square('#123456'), '<svg', square('#abcdef')]
  const [first, second, third] = await Promise.allSettled(svgs.map((svg) => renderer.render(svg, () => svg)))
  const colourOf = (outcome: typeof first) =>
    outcome?.status === 'fulfilled' ? decodePng(outcome.value).at(4, 4) : outcome?.reason.message
  expect([colourOf(first), colourOf(third)]).toEqual([0x123456, 0xabcdef])
  expect(colourOf(second)).toStartWith('the picture cannot be drawn: ')
  expect(svgs.map(renderer.has)).toEqual([true, false, true])
})

test('the last 32 pictures are kept, and no more', async () => {
  const renderer = pngRenderer()
  const svgs = Array.from({ length: 33 }, (_, n) => square(`#0000${String(n + 10)}`))
  for (const svg of svgs) await renderer.render(svg, () => svg)
  expect(svgs.map(renderer.has)).toEqual(svgs.map((_, n) => n > 0))
})
