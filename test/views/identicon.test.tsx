import { expect, test } from 'bun:test'
import { Html } from '@elysiajs/html'
import fc from 'fast-check'
import { minidenticon } from 'minidenticons'
import { Identicon } from '../../src/views/parts/identicon.tsx'

test('the one path covers the squares of the library, and no other', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), (username) => {
      const squares = [...minidenticon(username).matchAll(/x="(\d)" y="(\d)"/g)].map(
        ([, x, y]) => `${x} ${y}`,
      )
      const [, path = ''] = /d="([^"]*)"/.exec(String(<Identicon username={username} />)) ?? []
      const covered = [...path.matchAll(/M(\d) (\d)h1v(\d)h-1z/g)].flatMap(([, x, y, height]) =>
        Array.from({ length: Number(height) }, (_, n) => `${x} ${Number(y) + n}`),
      )
      expect(covered.toSorted()).toEqual(squares.toSorted())
    }),
  )
})
