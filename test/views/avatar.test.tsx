import { describe, expect, test } from 'bun:test'
import { Html } from '@elysiajs/html'
import { Avatar, avatarOf, coloursOf } from '../../src/views/parts/avatar.tsx'
import { contrast } from '../badge/contrast.ts'
import { elementsOf } from '../support/markup.ts'

describe('the picture of a user', () => {
  test.each([
    ['ada', 'AD'],
    ['x', 'X'],
    ['payments-platform-eu', 'PP'],
    ['7-eleven', '7E'],
  ])('of %s has the letters %s', (username, letters) => {
    expect(elementsOf(<Avatar username={username} />)).toEqual([
      {
        name: 'span',
        attributes: {
          class: `avatar tint-${avatarOf(username).tint}`,
          'data-letters': letters,
          'aria-hidden': 'true',
        },
      },
    ])
  })

  test('has one of eight tints, which names with the same letters share no more often than by chance', () => {
    const counts = new Map<number, number>()
    for (let n = 0; n < 800; n += 1) {
      const { tint } = avatarOf(`ad${n}`)
      counts.set(tint, (counts.get(tint) ?? 0) + 1)
    }
    expect([...counts.keys()].toSorted()).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
    expect(Math.max(...counts.values())).toBeLessThan(150)
  })

  test('is legible on every tint, in the stylesheet as in pictures', async () => {
    const css = await Bun.file('static/css/02-base.css').text()
    const [, ground = '', darkGround = ''] =
      /background: light-dark\((hsl\(.+?%\)), (hsl\(.+?%\))\)/.exec(css) ?? []
    const [, letters = '', darkLetters = ''] =
      /color: light-dark\((hsl\(.+?%\)), (hsl\(.+?%\))\)/.exec(css) ?? []
    const tints = [...css.matchAll(/\.tint-(\d) \{\s+--hue: (\d+);/g)]
    expect(tints).toHaveLength(8)
    for (const [, tint = '', hue = ''] of tints) {
      const on = (colour: string) => Bun.color(colour.replace('var(--hue)', hue), 'hex') ?? ''
      expect(contrast(on(letters), on(ground))).toBeGreaterThanOrEqual(4.5)
      expect(contrast(on(darkLetters), on(darkGround))).toBeGreaterThanOrEqual(4.5)
      const picture = coloursOf(Number(tint))
      expect([on(picture.letters), on(picture.ground)]).toEqual([on(letters), on(ground)])
    }
  })
})
